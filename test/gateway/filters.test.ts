import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { idsOf } from '../support/rest-records.ts';

const NOW = Date.UTC(2025, 6, 1);
const DAY = 86_400_000;
const gateway = await useGateway({ rest: { now: () => NOW } });
const { data } = gateway.rest;

interface Owned {
  readonly id: string;
  readonly administration_id: string;
}
const own = <R extends Owned>(records: readonly R[]) =>
  records.filter((record) => record.administration_id === ADMINISTRATION);
const debtors = own(data.debtors);
const lines = own(data.declarationLines);
const isRetained = (record: { deleted_at: string }) => Date.parse(record.deleted_at) >= NOW - 90 * DAY;

const PATHS = {
  debtors: '/v1/debtors',
  declarationLines: '/v1/health_care/declaration_lines',
  deletedCreditCases: '/v1/credit_cases/deleted',
  deletedPayments: '/v1/payments/deleted',
};
type List = keyof typeof PATHS;
/** A filter as it is written in GraphQL, as it must reach REST, and the rows it must give. */
type Filter = [List, string, Record<string, string>, readonly Owned[]];

const MOMENT = '2025-01-01T00:00:00Z';
const RECENT = new Date(NOW - 30 * DAY).toISOString();
const isAfter = (text: string, limit = MOMENT) => Date.parse(text) > Date.parse(limit);
const byValues = <R extends Owned>(
  list: List,
  argument: string,
  name: string,
  rows: readonly R[],
  key: keyof R,
): Filter => {
  const values = rows.map((row) => String(row[key]));
  return [list, `${argument}: ${JSON.stringify(values)}`, { [name]: values.join(',') }, rows];
};
const someDebtors = [debtors[2], debtors[5], debtors[9]].map(present);
const someLines = lines.filter((line) => line.order_line_identifier).slice(3, 6);
const invoice = present(lines.find((line) => line.invoice_identifier)?.invoice_identifier);

const FILTERS: Filter[] = [
  byValues('debtors', 'ids', 'ids', someDebtors, 'id'),
  byValues('debtors', 'debtorNumbers', 'debtor_numbers', someDebtors, 'debtor_number'),
  byValues('debtors', 'debtorIdentifiers', 'debtor_identifiers', someDebtors, 'debtor_identifier'),
  [
    'debtors',
    `updatedAfter: "${MOMENT}"`,
    { updated_after: MOMENT },
    debtors.filter((row) => isAfter(row.updated_at)),
  ],
  byValues('declarationLines', 'ids', 'ids', someLines, 'id'),
  byValues(
    'declarationLines',
    'orderLineIdentifiers',
    'order_line_identifiers',
    someLines,
    'order_line_identifier',
  ),
  [
    'declarationLines',
    `invoiceIdentifiers: ["${invoice}"]`,
    { invoice_identifiers: invoice },
    lines.filter((row) => row.invoice_identifier === invoice),
  ],
  ...['action_required', 'auto_resubmit', 'draft', 'failed', 'processed', 'submitted'].map(
    (status): Filter => [
      'declarationLines',
      `claimStatus: ${status.toUpperCase()}, createdBefore: "${RECENT}"`,
      { claim_status: status, created_before: RECENT },
      lines.filter((row) => row.claim_status === status && !isAfter(row.created_at, RECENT)),
    ],
  ),
  [
    'declarationLines',
    `createdAfter: "${MOMENT}", updatedAfter: "${RECENT}"`,
    { created_after: MOMENT, updated_after: RECENT },
    lines.filter((row) => isAfter(row.created_at) && isAfter(row.updated_at, RECENT)),
  ],
  ...(
    [
      ['deletedCreditCases', own(data.deletedCreditCases).filter(isRetained)],
      ['deletedPayments', own(data.deletedPayments).filter(isRetained)],
    ] as const
  ).flatMap(([list, rows]): Filter[] => [
    [
      list,
      `deletedAfter: "${RECENT}"`,
      { deleted_after: RECENT },
      rows.filter((row) => isAfter(row.deleted_at, RECENT)),
    ],
    [
      list,
      `deletedBefore: "${RECENT}"`,
      { deleted_before: RECENT },
      rows.filter((row) => !isAfter(row.deleted_at, RECENT)),
    ],
  ]),
];

test.each(FILTERS)(
  '%s with %s gives the rows that REST has for it',
  async (list, filter, parameters, rows) => {
    const nodes = rows.slice(0, 500).map(({ id }) => ({ internalId: id }));
    expect(nodes).not.toEqual([]);
    const field = (args: string) => `${list}(${args}${filter}, first: 500) { nodes { internalId } }`;
    const ofQuery = await gateway.query(`{ ${field(`administrationId: "${ADMINISTRATION}", `)} }`);
    const inside = await gateway.query(`{ administration(id: "${ADMINISTRATION}") { ${field('')} } }`);
    expect([ofQuery.data, inside.data]).toEqual([
      { [list]: { nodes } },
      { administration: { [list]: { nodes } } },
    ]);
    const call = {
      call: `GET ${PATHS[list]}`,
      administration_id: ADMINISTRATION,
      per_page: '500',
      ...parameters,
      ...(!list.startsWith('deleted') && { only: ['id', 'administration_id'] }),
    };
    expect(gateway.calls()).toEqual([call, call]);
  },
);

test('a filter that is null is no filter', async () => {
  await gateway.query(
    `query ($ids: [ID!], $after: DateTime) {
      debtors(administrationId: "${ADMINISTRATION}", ids: $ids, updatedAfter: $after, debtorNumbers: null) { nodes { id } }
    }`,
    { ids: null },
  );
  const only = ['id', 'administration_id'];
  expect(gateway.calls()).toEqual([
    { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, per_page: '100', only },
  ]);
});

const configured = (names: object) => {
  const { parameterNames } = readConfig({ REST_PARAMETER_NAMES: JSON.stringify(names) });
  return { parameterNames };
};

describe('a parameter name from the configuration', async () => {
  /** The names of this project, of the service that is embedded, and those that an operator has set. */
  const NAMES = [
    ['administrationId', 'administration_id', 'administration'],
    ['ids', 'ids', 'line_ids'],
    ['orderLineIdentifiers', 'order_line_identifiers', 'order_lines'],
    ['invoiceIdentifiers', 'invoice_identifiers', 'invoices'],
    ['claimStatus', 'claim_status', 'filter[status]'],
    ['createdAfter', 'created_after', 'created_from'],
    ['createdBefore', 'created_before', 'created_to'],
    ['updatedAfter', 'updated_after', 'changed_since'],
  ] as const;
  const renamed = await useGateway({
    rest: {
      parameterNames: {
        declarationLines: Object.fromEntries(NAMES.map(([, name, other]) => [name, other])),
        deletedPayments: { deleted_after: 'since' },
      },
    },
    gateway: configured({
      declarationLines: Object.fromEntries(NAMES.map(([name, , other]) => [name, other])),
      deletedPayments: { deletedAfter: 'since' },
    }),
  });
  const IN = `administrationId: "${ADMINISTRATION}"`;
  const line = present(own(renamed.rest.data.declarationLines)[0]);

  test.each<[string, Record<string, string>]>([
    [
      `declarationLines(${IN}, ids: ["1", "2"], orderLineIdentifiers: ["3"], invoiceIdentifiers: ["4"]) { pageInfo { hasNextPage } }`,
      { administration: ADMINISTRATION, line_ids: '1,2', order_lines: '3', invoices: '4' },
    ],
    [
      `declarationLines(${IN}, claimStatus: DRAFT, createdAfter: "${MOMENT}", createdBefore: "${MOMENT}", updatedAfter: "${MOMENT}") { pageInfo { hasNextPage } }`,
      { 'filter[status]': 'draft', created_from: MOMENT, created_to: MOMENT, changed_since: MOMENT },
    ],
    [
      `declarationLine(${IN}, id: "${line.id}") { amount }`,
      { administration: ADMINISTRATION, line_ids: line.id },
    ],
    [
      `deletedPayments(${IN}, deletedAfter: "${MOMENT}", deletedBefore: "${MOMENT}") { nodes { id } }`,
      { administration_id: ADMINISTRATION, since: MOMENT, deleted_before: MOMENT },
    ],
  ])('is used in %s', async (field, parameters) => {
    expect((await renamed.query(`{ ${field} }`)).errors).toBeUndefined();
    expect(renamed.calls()).toMatchObject([parameters]);
  });
});

describe('a service that ignores the name of the administration passes on nothing', async () => {
  const misnamed = await useGateway({
    rest: { unknownParameters: 'ignore' },
    gateway: configured({
      declarationLines: { administrationId: 'administration' },
      deletedCreditCases: { administrationId: 'administration' },
    }),
  });
  const isForeign = (row: Owned) => row.administration_id === SMALL_ADMINISTRATION;
  const [foreign] = idsOf(misnamed.rest.data.declarationLines.filter(isForeign));

  test.each([
    'declarationLines(administrationId: "1001") { pageInfo { hasNextPage } }',
    'deletedCreditCases(administrationId: "1001") { nodes { id debtor { name } } }',
    `declarationLine(administrationId: "1001", id: "${foreign}") { amount }`,
  ])('%s', async (field) => {
    const answer = await misnamed.query(`{ ${field} }`);
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toEqual({ [field.replace(/\(.*/, '')]: null });
    expect(misnamed.calls()).toHaveLength(1);
  });
});
