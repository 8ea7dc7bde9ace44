import { beforeEach, expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { useGateway } from '../../support/gateway.ts';
import { changeRow } from '../../support/rest-pages.ts';

const logged: string[] = [];
const gateway = await useGateway({ gateway: { log: (...line) => logged.push(JSON.stringify(line)) } });

beforeEach(() => {
  logged.length = 0;
});

const MARK = 'd0-n0t-sh0w';
const GONE = 'the record';

/** A field of the first of two debtors, as the service sends it, and what becomes of the debtor. */
const debtors = [
  ['name', null, 'name', GONE],
  ['name', { text: MARK }, 'name', GONE],
  ['debtor_number', [MARK], 'debtorNumber', GONE],
  ['postal_address', null, 'postalAddress { city }', GONE],
  ['postal_address', MARK, 'postalAddress { city }', GONE],
  ['postal_address', { city: null, country_code: 'NL' }, 'postalAddress { city countryCode }', GONE],
  ['updated_at', 1_700_000_000, 'updatedAt', { updatedAt: null }],
  ['labels', MARK, 'labels { name }', { labels: null }],
  ['labels', { name: MARK }, 'labels { name }', { labels: null }],
  ['labels', [{ name: 'a' }, null], 'labels { name }', { labels: null }],
  ['labels', [{ name: null }], 'labels { name }', { labels: null }],
  ['book_open_amount', 12.5, 'bookOpenAmount', { bookOpenAmount: null }],
  ['book_open_amount', { amount: MARK }, 'bookOpenAmount', { bookOpenAmount: null }],
  ['paused_at', 1_700_000_000, 'pausedAt', { pausedAt: null }],
  ['peppol_enabled', MARK, 'peppolEnabled', { peppolEnabled: null }],
  ['payment_behaviour', MARK, 'paymentBehaviour', { paymentBehaviour: null }],
  ['payment_behaviour', 1.5, 'paymentBehaviour', { paymentBehaviour: null }],
  ['remark', { text: MARK }, 'remark', { remark: null }],
  // What GraphQL's own scalars would quietly turn into something else.
  ['name', 17, 'name', GONE],
  ['name', true, 'name', GONE],
  ['debtor_number', 12_345_678_901_234_567_000, 'debtorNumber', GONE],
  ['postal_address', { city: 7, country_code: 'NL' }, 'postalAddress { city countryCode }', GONE],
  ['labels', [{ name: 7 }], 'labels { name }', { labels: null }],
  ['remark', 17, 'remark', { remark: null }],
  ['remark', false, 'remark', { remark: null }],
  ['payment_behaviour', '17', 'paymentBehaviour', { paymentBehaviour: null }],
  ['payment_behaviour', '', 'paymentBehaviour', { paymentBehaviour: null }],
  ['payment_behaviour', true, 'paymentBehaviour', { paymentBehaviour: null }],
  ['payment_behaviour', 2 ** 31, 'paymentBehaviour', { paymentBehaviour: null }],
  ['peppol_enabled', 1, 'peppolEnabled', { peppolEnabled: null }],
  ['peppol_enabled', 'true', 'peppolEnabled', { peppolEnabled: null }],
] as const;

test.each(debtors)(
  'a debtor with %s: %j loses that field, or is null where the schema promises the field',
  async (name, value, selection, expected) => {
    gateway.rest.misbehave(changeRow(0, { [name]: value }));
    const answer = await gateway.query(
      `{ debtors(administrationId: "1001", first: 2) { nodes { internalId ${selection} } } }`,
    );
    expect(answer.data).toMatchObject({
      debtors: {
        nodes: [
          expected === GONE ? null : { internalId: '300001', ...expected },
          { internalId: expect.any(String) },
        ],
      },
    });
    expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_INVALID_RESPONSE']));
    expect(answer.errors?.[0]?.path?.slice(0, 3)).toEqual(['debtors', 'nodes', 0]);
    expect(answer.text).not.toContain(MARK);
    expect(logged.join('\n')).not.toContain(MARK);
  },
);

const lines = [
  ['claim_status', 'reopened', 'claimStatus'],
  ['claim_status', 5, 'claimStatus'],
  ['claim_response_codes', MARK, 'claimResponseCodes'],
  ['amount', 12.5, 'amount'],
  ['claim', MARK, 'claim'],
  ['customer', MARK, 'customer { emailAddress }'],
  ['created_at', { at: MARK }, 'createdAt'],
  ['invoice_identifier', 12_345_678_901_234_567_000, 'invoiceIdentifier'],
  ['claim', 0, 'claim'],
  ['claim_status', ['draft'], 'claimStatus'],
  ['claim_response_codes', ['a', 5], 'claimResponseCodes'],
] as const;

test.each(lines)('a declaration line with %s: %j loses that field alone', async (name, value, selection) => {
  gateway.rest.misbehave(changeRow(0, { [name]: value }));
  const [field = ''] = selection.split(' ');
  const answer = await gateway.query(
    `{ declarationLines(administrationId: "1001", first: 2) { edges { cursor node { internalId ${selection} } } } }`,
  );
  expect(answer.data).toMatchObject({
    declarationLines: {
      edges: [
        { cursor: expect.any(String), node: { internalId: expect.any(String), [field]: null } },
        { node: { internalId: expect.any(String) } },
      ],
    },
  });
  expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  expect(answer.text).not.toContain(MARK);
});

test('a value of another type in a joined record makes that record null, and no other', async () => {
  gateway.rest.misbehave({ ...changeRow(0, { name: null }), match: { path: '/v1/debtors' } });
  const answer = await gateway.query(
    '{ deletedCreditCases(administrationId: "1001", first: 20) { nodes { internalId debtor { name } } } }',
  );
  expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_INVALID_RESPONSE']));
  expect(answer.data).toMatchObject({ deletedCreditCases: { nodes: { length: 20 } } });
  expect(answer.text).toContain('"debtor":{"name":"');
});

test('a value of another type is an error in the 41st row as well, where rows are read by compiled code', async () => {
  gateway.rest.misbehave(changeRow(40, { remark: 17, payment_behaviour: '17' }));
  const answer = await gateway.query(
    '{ debtors(administrationId: "1001", first: 50) { nodes { internalId remark paymentBehaviour } } }',
  );
  expect(answer.errors?.map(({ path }) => path)).toEqual([
    ['debtors', 'nodes', 40, 'remark'],
    ['debtors', 'nodes', 40, 'paymentBehaviour'],
  ]);
  expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_INVALID_RESPONSE']));
});

test('an id of another type joins nothing, and leaves the rest of its record', async () => {
  gateway.rest.misbehave({
    ...changeRow(0, { debtor_id: 300_001 }),
    match: { path: '/v1/credit_cases/deleted' },
  });
  const answer = await gateway.query(
    '{ deletedCreditCases(administrationId: "1001", first: 2) { nodes { internalId debtorId debtor { name } } } }',
  );
  expect(answer.data).toMatchObject({
    deletedCreditCases: {
      nodes: [{ debtorId: null, debtor: null }, { debtor: { name: expect.any(String) } }],
    },
  });
  expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE', 'UPSTREAM_INVALID_RESPONSE']);
});
