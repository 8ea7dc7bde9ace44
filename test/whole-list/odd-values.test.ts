import { expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRow } from '../support/rest-pages.ts';

const gateway = await useGateway();

const INVALID = 'UPSTREAM_INVALID_RESPONSE';
const NONE = { sum: '0', min: null, max: null, count: 0 };

/** A list of one record in which a value is none of its kind: it counts as null, with an error. */
test.each([
  ['debtors', { labels: 'x' }, 'groups(by: LABELS_NAME) { key }', { groups: [{ key: null }] }],
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
