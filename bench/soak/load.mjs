import { pick } from './faults.mjs';

const callers = [
  { token: 'demo-token-company-a', administrations: ['1001', '1002'], scope: 'all' },
  { token: 'demo-token-company-b', administrations: ['2001'], scope: 'all' },
  { token: 'demo-token-read-only-debtors', administrations: ['1001', '1002'], scope: 'debtors' },
  { token: 'nobody', administrations: [], scope: 'none' },
];

const ROW = 'internalId administrationId';
const kinds = {
  debtors: `query ($a: ID!) { debtors(administrationId: $a, first: 30) { nodes { ${ROW} name } } }`,
  pages: `query ($a: ID!) { debtors(administrationId: $a, first: 700) { nodes { ${ROW} name } } }`,
  debtor: `query ($a: ID!, $id: ID!) { debtor(administrationId: $a, by: { id: $id }) { ${ROW} name } }`,
  lines: `query ($a: ID!) { declarationLines(administrationId: $a, first: 30) { nodes { ${ROW} amount } } }`,
  join: `query ($a: ID!) { deletedCreditCases(administrationId: $a, first: 10) { nodes { ${ROW} debtor { ${ROW} name } } } }`,
  two: `query ($a: ID!, $id: ID!) {
    administration(id: $a) { debtor(by: { id: $id }) { ${ROW} name } deletedPayments(first: 5) { nodes { ${ROW} } } }
  }`,
  write:
    'mutation ($a: ID!) { updateMessages(input: { administrationId: $a, messages: [{ id: "0", read: true }] }) { count } }',
  nonsense: '{ nonsense }',
};

export function createTally() {
  return { operations: 0, failed: 0, left: 0, lost: 0, wrong: 0, leaked: 0, overloaded: 0, examples: [] };
}

/** Mixed operations of several callers, each answer held against what the service really knows. */
export function createLoad(gateway, rest, tally) {
  const known = knownRecords(rest.data);

  async function one() {
    const caller = pick(callers);
    const kind = pick(Object.keys(kinds));
    const administration = pick(['1001', '1002', '2001']);
    const leaves = Math.random() < 0.02 ? { signal: AbortSignal.timeout(pick([0, 3, 10, 30])) } : undefined;
    const variables = { a: administration, id: pick(known.debtorIds) };
    const headers = { authorization: `Bearer ${caller.token}`, 'x-explain': pick(['true', 'false']) };
    const answer = await gateway.post(JSON.stringify({ query: kinds[kind], variables }), headers, leaves);
    tally.operations += 1;
    const fault = leaves?.signal.aborted
      ? { kind: 'left' }
      : faultOf({ caller, kind, administration }, answer, known);
    if (fault) tally[fault.kind] += 1;
    if (fault?.why && tally.examples.length < 5)
      tally.examples.push(`${fault.kind}: ${fault.why} in ${kind}: ${answer.text.slice(0, 300)}`);
  }

  return async (milliseconds, width) => {
    const until = performance.now() + milliseconds;
    const worker = async () => {
      while (performance.now() < until) await one();
    };
    await Promise.all(Array.from({ length: width }, worker));
  };
}

function knownRecords({ debtors, declarationLines, deletedCreditCases, deletedPayments }) {
  const records = new Map();
  for (const record of [...debtors, ...declarationLines, ...deletedCreditCases, ...deletedPayments]) {
    records.set(record.id, record);
  }
  return { records, debtorIds: debtors.slice(0, 50).map(({ id }) => id) };
}

/** Returns the fault of a response, if any. */
function faultOf({ caller, kind, administration }, answer, { records }) {
  if (answer.failed !== undefined) return { kind: 'lost', why: answer.failed };
  const { data, errors = [] } = JSON.parse(answer.text);
  const codes = errors.map(({ extensions }) => extensions?.code);
  if (answer.status === 503 && codes[0] === 'OVERLOADED') return { kind: 'overloaded' };
  if (answer.status >= 500) return { kind: 'wrong', why: `status ${answer.status}` };
  if (errors.some(({ extensions }) => !extensions?.code || !extensions.requestId))
    return { kind: 'wrong', why: 'no code' };
  if (codes.includes('INTERNAL_SERVER_ERROR')) return { kind: 'wrong', why: 'a fault of its own' };
  if (/demo-token|Bearer|node_modules|\n +at /.test(answer.text))
    return { kind: 'wrong', why: 'the inside shows' };
  if (kind === 'nonsense')
    return codes[0] === 'GRAPHQL_VALIDATION_FAILED' ? undefined : { kind: 'wrong', why: 'accepted' };

  const rows = getPageRows(data);
  for (const row of rows) {
    const record = records.get(row.internalId);
    const mayRead = caller.scope === 'all' || (caller.scope === 'debtors' && 'name' in (record ?? {}));
    if (!mayRead || !caller.administrations.includes(row.administrationId))
      return { kind: 'leaked', why: 'not theirs' };
    if (row.administrationId !== administration || record?.administration_id !== administration) {
      return { kind: 'leaked', why: 'of another administration' };
    }
    if (row.name !== undefined && row.name !== record.name) return { kind: 'wrong', why: 'a name' };
  }
  if (errors.length > 0) return { kind: 'failed' };
  if (!caller.administrations.includes(administration)) return { kind: 'wrong', why: 'no refusal' };
  const expected = expectedRows(kind, records, administration);
  const isComplete = expected === undefined || rows.length === expected;
  return isComplete ? undefined : { kind: 'wrong', why: `${rows.length} rows instead of ${expected}` };
}

/** How many rows a list must have when nothing failed. */
function expectedRows(kind, records, administration) {
  const [first, field] = { debtors: [30, 'name'], pages: [700, 'name'], lines: [30, 'amount'] }[kind] ?? [];
  if (first === undefined) return undefined;
  let count = 0;
  for (const record of records.values()) {
    if (field in record && record.administration_id === administration) count += 1;
  }
  return Math.min(first, count);
}

function getPageRows(value) {
  if (Array.isArray(value)) return value.flatMap(getPageRows);
  if (typeof value !== 'object' || value === null) return [];
  return [...('internalId' in value ? [value] : []), ...Object.values(value).flatMap(getPageRows)];
}
