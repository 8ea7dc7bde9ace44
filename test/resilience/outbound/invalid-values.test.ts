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

/** A member of the first of two rows, as the service sends it, the field that reads it, and what becomes of the row. */
const wrong: readonly [list: string, name: string, value: unknown, selection: string, isGone?: true][] = [
  ['debtors', 'name', null, 'name', true],
  // GraphQL's own scalars would quietly convert these.
  ['debtors', 'name', 17, 'name', true],
  [
    'debtors',
    'postal_address',
    { city: null, country_code: 'NL' },
    'postalAddress { city countryCode }',
    true,
  ],
  ['debtors', 'postal_address', { city: 7, country_code: 'NL' }, 'postalAddress { city countryCode }', true],
  ['debtors', 'updated_at', 1_700_000_000, 'updatedAt'],
  ['debtors', 'labels', [{ name: 'a' }, null], 'labels { name }'],
  ['debtors', 'book_open_amount', 12.5, 'bookOpenAmount'],
  ['debtors', 'peppol_enabled', 'true', 'peppolEnabled'],
  ['debtors', 'payment_behaviour', 1.5, 'paymentBehaviour'],
  ['debtors', 'payment_behaviour', 2 ** 31, 'paymentBehaviour'],
  ['debtors', 'remark', [MARK], 'remark'],
  ['declarationLines', 'claim_status', 'reopened', 'claimStatus'],
  ['declarationLines', 'claim_response_codes', ['a', 5], 'claimResponseCodes'],
  ['declarationLines', 'claim', 0, 'claim'],
  ['declarationLines', 'customer', MARK, 'customer { emailAddress }'],
];

test.each(wrong)('%s with %s: %j lose that field', async (list, name, value, selection, isGone) => {
  gateway.rest.misbehave(changeRow(0, { [name]: value }));
  const answer = await gateway.query(
    `{ ${list}(administrationId: "1001", first: 2) { edges { cursor node { internalId ${selection} } } } }`,
  );
  const [field = ''] = selection.split(' ');
  const row = { internalId: expect.any(String) };
  expect(answer.data).toMatchObject({
    [list]: {
      edges: [{ cursor: expect.any(String), node: isGone ? null : { ...row, [field]: null } }, { node: row }],
    },
  });
  expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_INVALID_RESPONSE']));
  expect(answer.errors?.[0]?.path?.slice(0, 4)).toEqual([list, 'edges', 0, 'node']);
  expect(answer.text + logged.join('\n')).not.toContain(MARK);
});
