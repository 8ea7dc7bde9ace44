import { records } from './service.mjs';

/** How many records of each administration are asked for by their keys. */
const COUNTS = { 1003: 30, 1002: 10, 1001: 10, 2001: 3 };

/** Writes a global id like the gateway. */
const globalId = (...parts) => Buffer.from(JSON.stringify(parts)).toString('base64url');

const some = (list) =>
  Object.entries(COUNTS).flatMap(([administration, most]) =>
    records[list].filter(({ administration_id }) => administration_id === administration).slice(0, most),
  );
const valuesOf = (list, member = 'id') => some(list).flatMap((record) => record[member] ?? []);
const globalIds = (type, list) =>
  some(list).map(({ id, administration_id }) => globalId(type, administration_id, id));

export const administrations = Object.fromEntries(
  Object.keys(COUNTS).map((id) => [id, globalId('Administration', id, id)]),
);
export const deletions = valuesOf('deletedPayments', 'deleted_at').slice(0, 6);
const debtors = globalIds('Debtor', 'debtors');
const lines = globalIds('DeclarationLine', 'declarationLines');
const others = ['1', '', 'no such id', 'a,b', 'Zm9v', '../x', ...Object.values(administrations)];

/** Keys of records, by the argument that takes them. */
export const keys = [
  [/debtorNumber/, valuesOf('debtors', 'debtor_number')],
  [/debtorIdentifier/, valuesOf('debtors', 'debtor_identifier')],
  [/orderLineIdentifier/, valuesOf('declarationLines', 'order_line_identifier')],
  [/invoiceIdentifier/, valuesOf('declarationLines', 'invoice_identifier')],
  [/Query\.nodes?\./, [...debtors, ...lines, ...others]],
  [/declarationLine/, [...lines, ...valuesOf('declarationLines')]],
  [/deletedCreditCase/, valuesOf('deletedCreditCases')],
  [/deletedPayment/, valuesOf('deletedPayments')],
  [/unmarkTask/, valuesOf('tasks')],
  [/updateMessages/, valuesOf('messages')],
  [/debtor/, [...debtors, ...valuesOf('debtors')]],
  [/./, others],
];
