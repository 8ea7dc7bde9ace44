import { expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRow, changeRows } from '../support/rest-pages.ts';

const gateway = await useGateway();

const INVALID = 'UPSTREAM_INVALID_RESPONSE';
const NONE = { sum: '0', min: null, max: null, count: 0 };

/** A list of one record in which a value is none of its kind: it counts as null, with an error. */
test.each([
  ['debtors', { name: ['a'] }, 'groups(by: NAME) { key }', { groups: [{ key: null }] }],
  ['debtors', { labels: 'x' }, 'groups(by: LABELS_NAME) { key }', { groups: [{ key: null }] }],
  [
    'declarationLines',
    { claim_response_codes: 'x' },
    'groups(by: CLAIM_RESPONSE_CODES) { key }',
    { groups: [{ key: null }] },
  ],
  [
    'debtors',
    { payment_behaviour: 3_000_000_000 },
    'totals { isComplete paymentBehaviour { sum min max count } }',
    { totals: { isComplete: false, paymentBehaviour: NONE } },
  ],
])('%s with %j', async (list, change, selection, expected) => {
  gateway.rest.misbehave(changeRow(0, change));
  const id = list === 'debtors' ? '300001' : '600001';
  const { data, errors = [] } = await gateway.query(
    `{ ${list}(administrationId: "${ADMINISTRATION}", ids: ["${id}"]) { ${selection} } }`,
  );
  expect(data).toEqual({ [list]: expected });
  expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [[list, ...Object.keys(expected)], INVALID],
  ]);
});

test('of equal amounts and texts, the spelling is that of the first record', async () => {
  gateway.rest.misbehave(
    changeRows(() => [
      { id: '10', administration_id: ADMINISTRATION, book_open_amount: '1.1', name: 'ann' },
      { id: '9', administration_id: ADMINISTRATION, book_open_amount: '1.10', name: 'Ann' },
    ]),
  );
  const { data } = await gateway.query(
    `{ debtors(administrationId: "${ADMINISTRATION}", ids: ["9", "10"]) { totals { bookOpenAmount { min max } } groups(by: NAME) { key } } }`,
  );
  expect(data).toEqual({
    debtors: { totals: { bookOpenAmount: { min: '1.1', max: '1.1' } }, groups: [{ key: 'ann' }] },
  });
});

test.each(['and: [{ isNull: false }]', 'or: [{ isNull: false }]', 'not: { isNull: true }'])(
  'an object has isNull inside of %s',
  async (inside) => {
    const { data, errors } = await gateway.query(
      `{ debtors(administrationId: "${ADMINISTRATION}", ids: ["300001"], where: { postalAddress: { ${inside} } }) { totals { count } } }`,
    );
    expect([data, errors]).toEqual([{ debtors: { totals: { count: 1 } } }, undefined]);
  },
);
