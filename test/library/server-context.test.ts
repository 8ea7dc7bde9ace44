import { expect, test } from 'vitest';
import { BEARER } from '../support/gateway.ts';
import { useLibrary } from './support.ts';

const library = await useLibrary();
const query = '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }';

/** Names that the gateway uses for parts of its own. */
const TAKEN = {
  client: { owner: 'mine', address: 'x' },
  text: 'mine',
  observed: {},
  requestId: 'not an id',
  executed: { estimatedCalls: 99, json: Buffer.from('{"stolen":true}') },
  keepJson: () => {
    throw new Error('called');
  },
  hasParams: true,
  headers: { authorization: 'Bearer of-another' },
  endings: [],
  rest: {},
  owner: 'mine',
};

test('what another server has in its context changes nothing, whatever its name', async () => {
  const init = {
    method: 'POST',
    headers: { ...BEARER, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  };
  const [plain, taken] = [
    await library.gateway.fetch('http://localhost/graphql', init),
    await library.gateway.fetch('http://localhost/graphql', init, TAKEN),
  ];
  const [expected, answer] = [await plain.json(), await taken.json()];
  expect(taken.status).toBe(200);
  expect(answer.data).toEqual(expected.data);
  expect(answer.extensions.cost.estimatedCalls).toBe(1);
  expect(taken.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});
