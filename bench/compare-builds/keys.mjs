import { toHttp } from './requests.mjs';
import { records } from './service.mjs';

/** How many records of each administration are asked for by their keys. */
const COUNTS = { 1003: 30, 1002: 10, 1001: 10, 2001: 3 };
const OTHERS = ['1', '', 'no such id', 'a,b', 'Zm9v', '../x'];
const ADMINISTRATIONS = Object.keys(COUNTS).map((id) => `a${id}: administration(id: "${id}") { id }`);
const QUERY = `{ ${ADMINISTRATIONS.join(' ')}
  debtors(administrationId: "1003", first: 30) { nodes { id } }
  declarationLines(administrationId: "1003", first: 30) { nodes { id } } }`;

/** What finds records: global ids as a build writes them, and what the records themselves have. */
export async function findKeys(build) {
  const run = build.openRun(0, {});
  const credentials = { bearer: 'demo-token-company-a' };
  const request = { via: 'post', operations: [{ query: QUERY }], credentials };
  const { data } = JSON.parse((await run.ask(toHttp(request, 0))).text);
  run.close();
  const globalIds = (list) => data[list].nodes.map(({ id }) => id);
  const administrations = Object.fromEntries(Object.keys(COUNTS).map((id) => [id, data[`a${id}`].id]));
  const others = [...OTHERS, ...Object.values(administrations)];
  return {
    administrations,
    deletions: valuesOf('deletedPayments', 'deleted_at').slice(0, 6),
    /** By the place in which they are asked for. */
    keys: [
      [/debtorNumber/, valuesOf('debtors', 'debtor_number')],
      [/debtorIdentifier/, valuesOf('debtors', 'debtor_identifier')],
      [/orderLineIdentifier/, valuesOf('declarationLines', 'order_line_identifier')],
      [/invoiceIdentifier/, valuesOf('declarationLines', 'invoice_identifier')],
      [/Query\.nodes?\./, [...globalIds('debtors'), ...globalIds('declarationLines'), ...others]],
      [/declarationLine/, [...globalIds('declarationLines'), ...valuesOf('declarationLines')]],
      [/deletedCreditCase/, valuesOf('deletedCreditCases')],
      [/deletedPayment/, valuesOf('deletedPayments')],
      [/unmarkTask/, valuesOf('tasks')],
      [/updateMessages/, valuesOf('messages')],
      [/debtor/, [...globalIds('debtors'), ...valuesOf('debtors')]],
      [/./, others],
    ],
  };
}

function valuesOf(list, member = 'id') {
  const some = Object.entries(COUNTS).flatMap(([administration, most]) =>
    records[list].filter(({ administration_id }) => administration_id === administration).slice(0, most),
  );
  return some.flatMap((record) => record[member] ?? []);
}
