// @ts-check
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../listen.mjs';
import { questions } from '../workloads/index.mjs';

/**
 * The other floor: what two of the workloads cost where nobody reads GraphQL. The document is a key into a table, the
 * REST call is known, and each record is copied by hand under its other names.
 */
const pool = new Pool(process.env.REST_URL ?? '', { connections: 128 });

/** @type {Map<string, { path: string, project: (row: any) => unknown }>} */
const known = new Map(
  Object.entries({ W1: six, W2: twentySix }).map(([wanted, project]) => {
    const { graphql, rest } = questions.find(({ key }) => key === wanted)?.plain ?? {};
    if (!graphql || !rest) throw new Error(`there is no list called ${wanted}`);
    return [JSON.parse(graphql.body).query, { path: rest.path, project }];
  }),
);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { path, project } = known.get(JSON.parse(Buffer.concat(chunks).toString()).query) ?? unknown();
  const { body } = await pool.request({
    method: 'GET',
    path,
    headers: { accept: 'application/json', authorization: request.headers.authorization ?? '' },
  });
  const { data } = JSON.parse(await body.text());
  const text = JSON.stringify({ data: { debtors: { nodes: data.map(project) } } });
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
});
await listen(server);

/** @returns {never} */
function unknown() {
  throw new Error('not one of the two lists');
}

/** @param {any} row */
function six(row) {
  return {
    internalId: row.id,
    debtorNumber: row.debtor_number,
    name: row.name,
    bookOpenAmount: row.book_open_amount,
    paymentBehaviour: row.payment_behaviour,
    updatedAt: row.updated_at,
  };
}

/** @param {any} row */
function twentySix(row) {
  return {
    internalId: row.id,
    administrationId: row.administration_id,
    debtorNumber: row.debtor_number,
    debtorIdentifier: row.debtor_identifier,
    name: row.name,
    postalAddress: row.postal_address && {
      city: row.postal_address.city,
      countryCode: row.postal_address.country_code,
      postalCode: row.postal_address.postal_code,
      street1: row.postal_address.street_1,
    },
    bankAccountNumber: row.bank_account_number,
    bookOpenAmount: row.book_open_amount,
    callPhoneNumber: row.call_phone_number,
    smsPhoneNumber: row.sms_phone_number,
    cocNumber: row.coc_number,
    vatNumber: row.vat_number,
    creditLimitAmount: row.credit_limit_amount,
    primaryEmailAddress: row.primary_email_address,
    invoiceEmailAddress: row.invoice_email_address,
    reminderEmailAddress: row.reminder_email_address,
    publicUrl: row.public_url,
    labels: row.labels?.map((/** @type {any} */ { name }) => ({ name })),
    languageCode: row.language_code,
    paymentBehaviour: row.payment_behaviour,
    peppolIdentifier: row.peppol_identifier,
    peppolEnabled: row.peppol_enabled,
    relationManager: row.relation_manager,
    remark: row.remark,
    pausedAt: row.paused_at,
    updatedAt: row.updated_at,
  };
}
