import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { ADMINISTRATION, BASIC, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];

/** A list of two debtors: `selection` is a selection on the connection. */
function debtors(selection: string, more = ''): string {
  return `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { ${selection} } } ${more}`;
}

const CALLS = {
  debtors: { call: 'GET /v1/debtors', administration_id: ADMINISTRATION },
  declarationLines: { call: 'GET /v1/health_care/declaration_lines', administration_id: ADMINISTRATION },
  companies: { call: 'GET /v1/companies' },
};

describe('a list asks REST for', () => {
  test.each<[string, string, unknown[]]>([
    ['the selected fields and what the gateway reads', debtors('nodes { name }'), ['name']],
    [
      'nothing twice, though the gateway reads it too',
      debtors('nodes { id internalId administrationId }'),
      [],
    ],
    ['the field behind an alias', debtors('nodes { title: name }'), ['name']],
    ['one field once, under however many aliases', debtors('nodes { name a: name b: name }'), ['name']],
    [
      'what a named fragment selects',
      debtors(
        'nodes { ...Names }',
        'fragment Names on Debtor { name ...More } fragment More on Debtor { remark }',
      ),
      ['name', 'remark'],
    ],
    [
      'what an inline fragment selects, with and without a type',
      debtors(
        'nodes { ... on Debtor { name } ... { remark } ... on Node { id ... on Debtor { vatNumber } } }',
      ),
      ['name', 'remark', 'vat_number'],
    ],
    [
      'the union where a fragment is used in two places',
      debtors('nodes { ...Name } edges { node { ...Name cocNumber } }', 'fragment Name on Debtor { name }'),
      ['name', 'coc_number'],
    ],
    [
      'what fragments on the connection and on its edges select',
      debtors(
        '...Page',
        'fragment Page on DebtorConnection { edges { ...Edge } } fragment Edge on DebtorEdge { node { name } }',
      ),
      ['name'],
    ],
    ['`nodes` and `edges` alike', debtors('nodes { name } edges { node { remark } }'), ['name', 'remark']],
    [
      'the union where one field stands twice',
      debtors('nodes { name } nodes { remark postalAddress { city } postalAddress { region } }'),
      ['name', 'remark', { postal_address: ['city', 'region'] }],
    ],
    [
      'the union of members under two aliases',
      debtors('nodes { a: postalAddress { street1 } b: postalAddress { street2 street1 } }'),
      [{ postal_address: ['street_1', 'street_2'] }],
    ],
    ['the administration of a debtor without a call', debtors('nodes { administration { id } }'), []],
    ['members of lists', debtors('nodes { labels { name } }'), [{ labels: ['name'] }]],
    [
      'one member of an object of which only the type is asked',
      debtors('nodes { postalAddress { __typename } }'),
      [{ postal_address: ['city'] }],
    ],
    [
      'one member of listed objects of which only the type is asked',
      debtors('nodes { labels { __typename } }'),
      [{ labels: ['name'] }],
    ],
    [
      'no member in place of a type when another is asked anyway',
      debtors('nodes { a: postalAddress { __typename } b: postalAddress { region } }'),
      [{ postal_address: ['region'] }],
    ],
    [
      'no member in place of a type when another is asked beside it',
      debtors('nodes { postalAddress { __typename } } edges { node { postalAddress { region } } }'),
      [{ postal_address: ['region'] }],
    ],
    [
      'no member in place of a type when another is asked of the same list',
      `{
        a: debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { postalAddress { __typename } } }
        b: debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { postalAddress { region } } }
      }`,
      [{ postal_address: ['region'] }],
    ],
    [
      'on-demand fields, once they are selected',
      debtors('nodes { bookOpenAmount publicUrl peppolEnabled paymentBehaviour }'),
      ['book_open_amount', 'public_url', 'peppol_enabled', 'payment_behaviour'],
    ],
  ])('%s', async (_, document, selected) => {
    const { errors } = await gateway.query(document);
    expect(errors).toBeUndefined();
    expect(gateway.calls()).toEqual([{ ...CALLS.debtors, per_page: '2', only: [...READS, ...selected] }]);
  });

  test.each([
    'pageInfo { hasNextPage endCursor }',
    'edges { cursor }',
    '__typename',
    'nodes { __typename }',
    'edges { __typename node { __typename } }',
  ])('what the gateway reads alone, when only `%s` is asked', async (selection) => {
    const lines = `declarationLines(administrationId: "${ADMINISTRATION}", first: 2)`;
    await gateway.query(debtors(selection));
    await gateway.query(`{ ${lines} { ${selection} } }`);
    await gateway.query(`{ companies(first: 2) { ${selection} } }`, {}, BASIC);
    expect(gateway.calls()).toEqual([
      { ...CALLS.debtors, per_page: '2', only: READS },
      { ...CALLS.declarationLines, per_page: '2', only: READS },
      { ...CALLS.companies, per_page: '2', only: ['id'] },
    ]);
  });

  test.each([
    [true, ['name', { labels: ['name'] }, { postal_address: ['city'] }]],
    [false, ['remark', 'vat_number', { postal_address: ['region'] }]],
  ])('what @include and @skip leave when their variable is %s', async (yes, selected) => {
    const document = `
      query ($yes: Boolean!) {
        debtors(administrationId: "${ADMINISTRATION}", first: 2) {
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
    const { errors } = await gateway.query(document, { yes });
    expect(errors).toBeUndefined();
    expect(gateway.calls()).toEqual([{ ...CALLS.debtors, per_page: '2', only: [...READS, ...selected] }]);
  });

  test('nested objects of declaration lines', async () => {
    await gateway.query(
      `{ declarationLines(administrationId: "${ADMINISTRATION}", first: 2) { nodes { customer { __typename emailAddress } claimStatus claimResponseCodes } } }`,
    );
    const only = [...READS, { customer: ['email_address'] }, 'claim_status', 'claim_response_codes'];
    expect(gateway.calls()).toEqual([{ ...CALLS.declarationLines, per_page: '2', only }]);
  });

  test('no fields at all, where the list takes none', async () => {
    const list = `(administrationId: "${ADMINISTRATION}", first: 2) { nodes { id deletedAt } }`;
    await gateway.query(`{ deletedCreditCases${list} }`);
    await gateway.query(`{ deletedPayments${list} }`);
    const query = { administration_id: ADMINISTRATION, per_page: '2' };
    expect(gateway.rest.calls).toMatchObject([
      { path: '/v1/credit_cases/deleted', query },
      { path: '/v1/payments/deleted', query },
    ]);
    for (const call of gateway.rest.calls) expect(call.query).toEqual(query);
  });
});

describe('a node asks REST for', () => {
  const [debtor] = debtorsOf(gateway, ADMINISTRATION);
  const [line] = gateway.rest.data.declarationLines.filter((row) => row.administration_id === ADMINISTRATION);
  const debtorId = present(debtor).id;
  const lineId = present(line).id;
  const ids = [
    encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id: debtorId }),
    encodeGlobalId({ type: 'DeclarationLine', administration: ADMINISTRATION, id: lineId }),
  ];
  const selection = '{ id ... on Debtor { name } ... on DeclarationLine { amount } ...Changed }';
  const fragments =
    'fragment Changed on Node { ... on Debtor { updatedAt } ... on Administration { internalId } }';
  const debtorCall = {
    ...CALLS.debtors,
    ids: debtorId,
    per_page: '1',
    only: [...READS, 'name', 'updated_at'],
  };

  test('the fields selected on its own type', async () => {
    await gateway.query(`query ($id: ID!) { node(id: $id) ${selection} } ${fragments}`, { id: ids[0] });
    expect(gateway.calls()).toEqual([debtorCall]);
  });

  test('each type its own, where several are mixed', async () => {
    await gateway.query(`query ($ids: [ID!]!) { nodes(ids: $ids) ${selection} } ${fragments}`, { ids });
    const lineCall = { ...CALLS.declarationLines, ids: lineId, per_page: '1', only: [...READS, 'amount'] };
    const calls = gateway.calls();
    expect(calls).toHaveLength(2);
    expect(calls).toEqual(expect.arrayContaining([debtorCall, lineCall]));
  });

  test('an identifier alone, when only the type or the id is asked', async () => {
    await gateway.query('query ($id: ID!) { node(id: $id) { __typename id } }', { id: ids[0] });
    expect(gateway.calls()).toEqual([{ ...debtorCall, only: READS }]);
  });
});

describe('a task asks REST, in its form, for', () => {
  test.each<[string, string, unknown[]]>([
    ['what is selected', '{ task { subject comments { content } } }', ['subject', { comments: ['content'] }]],
    ['an identifier, when nothing else is', '{ task { __typename } }', []],
    ['an identifier, when not even the task is', '{ __typename }', []],
    [
      'one member of an object of which only the type is',
      '{ task { assignedToUser { __typename } } }',
      [{ assigned_to_user: ['id'] }],
    ],
  ])('%s', async (_, selection, selected) => {
    const taskId = present(
      gateway.rest.data.tasks.find((task) => task.administration_id === ADMINISTRATION),
    ).id;
    const document = `mutation ($taskId: ID!) { unmarkTaskCompleted(input: { taskId: $taskId }) ${selection} }`;
    const { errors } = await gateway.query(document, { taskId });
    expect(errors).toBeUndefined();
    const only = [...READS, ...selected];
    expect(gateway.calls()).toEqual([
      {
        call: `PATCH /v1/tasks/${taskId}/unmark_completed`,
        only,
        body: { fields: JSON.stringify({ only }) },
      },
    ]);
  });
});
