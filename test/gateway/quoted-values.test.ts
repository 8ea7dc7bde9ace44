import { expect, test } from 'vitest';
import { BOTH, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();
const SECRET = 'RT_TOPSECRET';
const refresh = (input: string) => `mutation { refreshAccessToken(input: ${input}) { token { tokenType } } }`;
const byVariable =
  'mutation ($i: RefreshAccessTokenInput!) { refreshAccessToken(input: $i) { token { tokenType } } }';

test.each<[string, string, object]>([
  ['a variable beside an unknown one', byVariable, { i: { refreshToken: SECRET, extra: 1 } }],
  ['a variable in a list', byVariable, { i: { refreshToken: [SECRET] } }],
  ['a variable in place of an object', byVariable, { i: SECRET }],
  ['a literal without quotes', refresh(`{ refreshToken: ${SECRET} }`), {}],
  ['a literal in a list', refresh(`{ refreshToken: ["${SECRET}"] }`), {}],
  ['a literal in place of an object', refresh(`"${SECRET}"`), {}],
  ['a literal beside an unknown one', refresh(`{ refreshToken: "${SECRET}", extra: 1 }`), {}],
  [
    'a literal as an enum',
    `{ declarationLines(administrationId: "1", claimStatus: "${SECRET}") { nodes { id } } }`,
    {},
  ],
  ['a literal as an amount', `{ debtors(administrationId: "1", first: "${SECRET}") { nodes { id } } }`, {}],
  [
    'a literal as a date',
    `{ debtors(administrationId: "1", updatedAfter: "${SECRET}") { nodes { id } } }`,
    {},
  ],
  ['a string where a name is due', `{ "${SECRET}" }`, {}],
  ['a block string where a name is due', `{ """${SECRET}""" }`, {}],
])('no error quotes %s', async (_what, query, variables) => {
  const { text, errors } = await gateway.query(query, variables, BOTH);
  expect(errors?.length).toBeGreaterThan(0);
  expect(text).not.toContain(SECRET);
  expect(gateway.calls()).toEqual([]);
});

test('one large value of a variable makes a short answer', async () => {
  const keys = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [index.toString(36).padStart(500, 'k'), 1]),
  );
  const query = 'mutation ($i: UpdateMessagesInput!) { updateMessages(input: $i) { count } }';
  const { text, errors } = await gateway.query(query, { i: keys });
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  expect(text.length).toBeLessThan(3_000);
});
