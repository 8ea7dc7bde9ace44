import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { resourcesOf } from '../../src/schema/fields/metadata.ts';
import { schema } from '../../src/schema/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

function configured(names: object) {
  const { parameterNames } = readConfig({ REST_PARAMETER_NAMES: JSON.stringify(names) }, resourcesOf(schema));
  return { parameterNames };
}

/** The same service under other names; the gateway is told of them by its configuration. */
const renamed = await useGateway({
  rest: {
    parameterNames: {
      declarationLines: {
        administration_id: 'administration',
        ids: 'line_ids',
        order_line_identifiers: 'order_lines',
        invoice_identifiers: 'invoices',
        claim_status: 'filter[status]',
        created_after: 'created_from',
        created_before: 'created_to',
        updated_after: 'changed_since',
      },
      deletedPayments: { deleted_after: 'since', deleted_before: 'until' },
      deletedCreditCases: { administration_id: 'administration' },
    },
  },
  gateway: configured({
    declarationLines: {
      administrationId: 'administration',
      ids: 'line_ids',
      orderLineIdentifiers: 'order_lines',
      invoiceIdentifiers: 'invoices',
      claimStatus: 'filter[status]',
      createdAfter: 'created_from',
      createdBefore: 'created_to',
      updatedAfter: 'changed_since',
    },
    deletedPayments: { deletedAfter: 'since', deletedBefore: 'until' },
    deletedCreditCases: { administrationId: 'administration' },
  }),
});

describe('a parameter name from the configuration', () => {
  const MOMENT = '2025-06-01T00:00:00Z';
  const IN = `administrationId: "${ADMINISTRATION}"`;

  test.each<[string, Record<string, string>]>([
    [`declarationLines(${IN}, ids: ["1", "2"])`, { line_ids: '1,2' }],
    [`declarationLines(${IN}, orderLineIdentifiers: ["1", "2"])`, { order_lines: '1,2' }],
    [`declarationLines(${IN}, invoiceIdentifiers: ["1"])`, { invoices: '1' }],
    [`declarationLines(${IN}, claimStatus: DRAFT)`, { 'filter[status]': 'draft' }],
    [`declarationLines(${IN}, createdAfter: "${MOMENT}")`, { created_from: MOMENT }],
    [`declarationLines(${IN}, createdBefore: "${MOMENT}")`, { created_to: MOMENT }],
    [`declarationLines(${IN}, updatedAfter: "${MOMENT}")`, { changed_since: MOMENT }],
    [`deletedCreditCases(${IN})`, {}],
  ])('is used in %s', async (field, parameters) => {
    const { errors } = await renamed.query(`{ list: ${field} { pageInfo { hasNextPage } } }`);
    expect(errors).toBeUndefined();
    const [{ call: _call, only: _only, ...query } = { call: '' }, ...others] = renamed.calls();
    expect(others).toEqual([]);
    expect(query).toEqual({ administration: ADMINISTRATION, per_page: '100', ...parameters });
  });

  test('leaves the other parameters of a list as they are', async () => {
    await renamed.query(
      `{ deletedPayments(${IN}, deletedAfter: "${MOMENT}", deletedBefore: "${MOMENT}") { nodes { id } } }`,
    );
    expect(renamed.calls()).toEqual([
      {
        call: 'GET /v1/payments/deleted',
        administration_id: ADMINISTRATION,
        since: MOMENT,
        until: MOMENT,
        per_page: '100',
      },
    ]);
  });

  test('is used in lookups by id too', async () => {
    const line = present(
      renamed.rest.data.declarationLines.find((row) => row.administration_id === ADMINISTRATION),
    );
    const { data } = await renamed.query(`{ declarationLine(${IN}, id: "${line.id}") { amount } }`);
    expect(data).toEqual({ declarationLine: { amount: line.amount } });
    expect(renamed.calls()).toMatchObject([
      { administration: ADMINISTRATION, line_ids: line.id, per_page: '1' },
    ]);
  });
});

/** A service that ignores what it does not know, and a gateway that has a name wrong. */
const misnamed = await useGateway({
  rest: { unknownParameters: 'ignore' },
  gateway: configured({
    declarationLines: { administrationId: 'administration' },
    deletedCreditCases: { administrationId: 'administration' },
    deletedPayments: { administrationId: 'administration' },
  }),
});

describe('a service that ignores the name of the administration', () => {
  test.each([
    'declarationLines(administrationId: "1001") { nodes { id amount } }',
    'declarationLines(administrationId: "1001") { pageInfo { hasNextPage } }',
    'deletedCreditCases(administrationId: "1001") { nodes { id debtor { name } } }',
    'deletedPayments(administrationId: "1001") { nodes { id } }',
  ])('passes on no row: %s', async (field) => {
    const answer = await misnamed.query(`{ ${field} }`);
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toEqual({ [field.replace(/\(.*/, '')]: null });
    expect(misnamed.calls()).toHaveLength(1);
  });

  test('passes on no record either', async () => {
    const foreign = present(
      misnamed.rest.data.declarationLines.find((row) => row.administration_id === '1002'),
    );
    const answer = await misnamed.query(
      `{ declarationLine(administrationId: "1001", id: "${foreign.id}") { amount } }`,
    );
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toEqual({ declarationLine: null });
    expect(misnamed.calls()).toHaveLength(1);
  });
});
