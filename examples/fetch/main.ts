interface Answer {
  data?: { debtors: { nodes: Record<'debtorNumber' | 'name' | 'bookOpenAmount', string | null>[] } | null };
  errors?: { message: string; extensions: { code: string } }[];
}

const { GATEWAY_URL = '', GATEWAY_TOKEN } = process.env;
const query = `query OpenAmounts($administrationId: ID!) {
  debtors(administrationId: $administrationId, first: 5) { nodes { debtorNumber name bookOpenAmount } }
}`;
const request = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${GATEWAY_TOKEN}` },
  body: JSON.stringify({ query, variables: { administrationId: '1001' } }),
};
const response = await fetch(GATEWAY_URL, request).catch((error: Error) => {
  console.error(`No response from GATEWAY_URL=${GATEWAY_URL}. ${error.cause ?? error}`);
  process.exit(1);
});
const { data, errors = [] } = (await response.json()) as Answer;

// A result can have data and errors: a field that could not be read is null, with an error.
if (data?.debtors) console.table(data.debtors.nodes);
for (const { message, extensions } of errors) console.error(`${extensions.code}: ${message}`);
process.exitCode = errors.length > 0 ? 1 : 0;
