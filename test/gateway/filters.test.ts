import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

const gateway = await useGateway();
const { data } = gateway.rest;
const isOwn = (row: { readonly administration_id: string }) => row.administration_id === ADMINISTRATION;
const debtor = present(data.debtors.find(isOwn));
const line = present(data.declarationLines.find((row) => isOwn(row) && row.order_line_identifier));
const billed = present(data.declarationLines.find((row) => isOwn(row) && row.invoice_identifier));

const PATHS = {
  debtors: '/v1/debtors',
  declarationLines: '/v1/health_care/declaration_lines',
  deletedCreditCases: '/v1/credit_cases/deleted',
  deletedPayments: '/v1/payments/deleted',
};
const MOMENT = '2025-01-01T00:00:00Z';
const RECENT = new Date(Date.now() - 60 * 86_400_000).toISOString();

/** Each filter as it is written in GraphQL, and as it must reach REST, which refuses what it does not know. */
test.each<[keyof typeof PATHS, string, object]>([
  ['debtors', `ids: ["${debtor.id}", "999999"]`, { ids: `${debtor.id},999999` }],
  ['debtors', `debtorNumbers: ["${debtor.debtor_number}"]`, { debtor_numbers: debtor.debtor_number }],
  [
    'debtors',
    `debtorIdentifiers: ["${debtor.debtor_identifier}"]`,
    { debtor_identifiers: debtor.debtor_identifier },
  ],
  ['debtors', `updatedAfter: "${MOMENT}"`, { updated_after: MOMENT }],
  ['declarationLines', `ids: ["${line.id}", "999999"]`, { ids: `${line.id},999999` }],
  [
    'declarationLines',
    `orderLineIdentifiers: ["${line.order_line_identifier}"]`,
    { order_line_identifiers: line.order_line_identifier },
  ],
  [
    'declarationLines',
    `invoiceIdentifiers: ["${billed.invoice_identifier}"]`,
    { invoice_identifiers: billed.invoice_identifier },
  ],
  ['declarationLines', `createdAfter: "${MOMENT}"`, { created_after: MOMENT }],
  ['declarationLines', 'claimStatus: AUTO_RESUBMIT', { claim_status: 'auto_resubmit' }],
  ['deletedCreditCases', `deletedAfter: "${RECENT}"`, { deleted_after: RECENT }],
  ['deletedCreditCases', `deletedBefore: "${RECENT}"`, { deleted_before: RECENT }],
])('%s with %s requests the list from REST with these filters', async (list, filter, parameters) => {
  const field = (args: string) => `${list}(${args}${filter}, first: 3) { nodes { internalId } }`;
  const result = await gateway.query(`{ ${field(`administrationId: "${ADMINISTRATION}", `)} }`);
  const inside = await gateway.query(`{ administration(id: "${ADMINISTRATION}") { ${field('')} } }`);
  expect(result.text).toContain('"nodes":[{"internalId":');
  expect(inside.data).toEqual({ administration: result.data });
  const call = {
    call: `GET ${PATHS[list]}`,
    administration_id: ADMINISTRATION,
    per_page: '3',
    ...parameters,
    ...(!list.startsWith('deleted') && { only: ['id', 'administration_id'] }),
  };
  expect(gateway.calls()).toEqual([call, call]);
});

test('a filter that is null filters nothing', async () => {
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

describe('a parameter name in REST_PARAMETER_NAMES', async () => {
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

describe('if the service ignores the administration, this returns no records:', async () => {
  const misnamed = await useGateway({
    rest: { unknownParameters: 'ignore' },
    gateway: configured({
      declarationLines: { administrationId: 'administration' },
      deletedCreditCases: { administrationId: 'administration' },
    }),
  });
  const foreign = data.declarationLines.find((row) => row.administration_id === SMALL_ADMINISTRATION)?.id;

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
