import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BASIC, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';

const gateway = await useGateway();
const READS = ['id', 'administration_id'];
const IN = `administrationId: "${ADMINISTRATION}"`;
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
const LINES = { call: 'GET /v1/health_care/declaration_lines', administration_id: ADMINISTRATION };

describe('a list requests from REST', () => {
  test.each<[string, string, unknown[], string?]>([
    ['nothing twice that is always requested', 'nodes { id internalId administrationId name }', ['name']],
    ['a field once for several aliases', 'nodes { name a: name b: name }', ['name']],
    [
      'the fields of fragments',
      '...Page nodes { ... on Debtor { remark } ... { vatNumber } ... on Node { id ... on Debtor { cocNumber } } }',
      ['name', 'remark', 'vat_number', 'coc_number'],
      `fragment Page on DebtorConnection { edges { ...Edge } nodes { ...Name } }
       fragment Edge on DebtorEdge { node { ...Name } } fragment Name on Debtor { name }`,
    ],
    [
      'the union of two selections of one field',
      'nodes { name a: postalAddress { street1 } } edges { node { remark postalAddress { street2 street1 } } }',
      ['name', { postal_address: ['street_1', 'street_2'] }, 'remark'],
    ],
    ['the administration of a debtor without a call', 'nodes { administration { id } }', []],
    ['members of lists', 'nodes { labels { name } }', [{ labels: ['name'] }]],
    [
      'one member of an object if only its type is selected',
      'nodes { postalAddress { __typename } labels { __typename } }',
      [{ postal_address: ['city'] }, { labels: ['name'] }],
    ],
    [
      'no extra member of an object if another is selected',
      'nodes { postalAddress { __typename } } edges { node { postalAddress { region } } }',
      [{ postal_address: ['region'] }],
    ],
  ])('%s', async (_, selection, selected, fragments = '') => {
    const { errors } = await gateway.query(`{ debtors(${IN}, first: 2) { ${selection} } } ${fragments}`);
    expect(errors).toBeUndefined();
    expect(gateway.calls()).toEqual([{ ...DEBTORS, per_page: '2', only: [...READS, ...selected] }]);
  });

  test.each([
    'pageInfo { hasNextPage endCursor }',
    'edges { cursor }',
    '__typename',
    'edges { __typename node { __typename } }',
  ])('only the fields that the gateway needs, for `%s`', async (selection) => {
    await gateway.query(`{ debtors(${IN}, first: 2) { ${selection} } }`);
    await gateway.query(`{ declarationLines(${IN}, first: 2) { ${selection} } }`);
    await gateway.query(`{ companies(first: 2) { ${selection} } }`, {}, BASIC);
    expect(gateway.calls()).toEqual([
      { ...DEBTORS, per_page: '2', only: READS },
      { ...LINES, per_page: '2', only: READS },
      { call: 'GET /v1/companies', per_page: '2', only: ['id'] },
    ]);
  });

  test.each([
    [true, ['name', { labels: ['name'] }, { postal_address: ['city'] }]],
    [false, ['remark', 'vat_number', { postal_address: ['region'] }]],
  ])('the fields that remain after @include and @skip if their variable is %s', async (yes, selected) => {
    const document = `
      query ($yes: Boolean!) {
        debtors(${IN}, first: 2) {
          nodes {
            name @include(if: $yes)
            remark @skip(if: $yes)
            ...Labels @include(if: $yes)
            ... @skip(if: $yes) { vatNumber }
            postalAddress { city @include(if: $yes) region @skip(if: $yes) }
          }
          edges @include(if: false) { node { cocNumber } }
        }
        skipped: debtors(administrationId: "${SMALL_ADMINISTRATION}") @include(if: false) { nodes { name } }
      }
      fragment Labels on Debtor { labels { name } }`;
    await gateway.query(document, { yes });
    expect(gateway.calls()).toEqual([{ ...DEBTORS, per_page: '2', only: [...READS, ...selected] }]);
  });

  test('no `fields` parameter if the list does not accept it', async () => {
    for (const list of ['deletedCreditCases', 'deletedPayments'])
      await gateway.query(`{ ${list}(${IN}, first: 2) { nodes { id deletedAt } } }`);
    const query = { administration_id: ADMINISTRATION, per_page: '2' };
    expect(gateway.rest.calls.map((call) => [call.path, call.query])).toEqual([
      ['/v1/credit_cases/deleted', query],
      ['/v1/payments/deleted', query],
    ]);
  });
});

describe('a node requests from REST', () => {
  const isOwn = (row: { readonly administration_id: string }) => row.administration_id === ADMINISTRATION;
  const debtorId = present(gateway.rest.data.debtors.find(isOwn)).id;
  const lineId = present(gateway.rest.data.declarationLines.find(isOwn)).id;
  const ids = [globalId('Debtor', debtorId), globalId('DeclarationLine', lineId)];
  const call = { ...DEBTORS, ids: debtorId, per_page: '1' };

  test('the fields of the fragments on its type', async () => {
    await gateway.query(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Debtor { name } ... on DeclarationLine { amount } ...Changed } }
       fragment Changed on Node { ... on Debtor { updatedAt } ... on Administration { internalId } }`,
      { ids },
    );
    expect(gateway.calls()).toHaveLength(2);
    expect(gateway.calls()).toEqual(
      expect.arrayContaining([
        { ...call, only: [...READS, 'name', 'updated_at'] },
        { ...LINES, ids: lineId, per_page: '1', only: [...READS, 'amount'] },
      ]),
    );
  });

  test('only identifiers for its type and id', async () => {
    await gateway.query('query ($id: ID!) { node(id: $id) { __typename id } }', { id: ids[0] });
    expect(gateway.calls()).toEqual([{ ...call, only: READS }]);
  });
});

test.each<[string, unknown[]]>([
  ['{ task { subject comments { content } } }', ['subject', { comments: ['content'] }]],
  ['{ task { assignedToUser { __typename } } }', [{ assigned_to_user: ['id'] }]],
  ['{ task { __typename } }', []],
  ['{ __typename }', []],
])('a task requests the selected fields from REST in its form: %s', async (selection, selected) => {
  await gateway.query(`mutation { unmarkTaskCompleted(input: { taskId: "400001" }) ${selection} }`);
  const only = [...READS, ...selected];
  expect(gateway.calls()).toMatchObject([{ only, body: { fields: JSON.stringify({ only }) } }]);
});
