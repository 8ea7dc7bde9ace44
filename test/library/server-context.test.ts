import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
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
  expect(answer.extensions.cost).toEqual({ calls: 0, cacheHits: 1, coalesced: 0 });
  expect(taken.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('one context for two requests is refused, so that nothing of one caller reaches another', async () => {
  const { gateway } = library;
  const shared = {};
  const faults: unknown[] = [];
  const server = createServer(async (request, response) => {
    try {
      const answer = await gateway.handleNodeRequestAndResponse(request, response, shared);
      response.writeHead(answer.status).end(await answer.text());
    } catch (error) {
      faults.push(error);
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { ...BEARER, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(500);
  expect(gateway.stats().operationsInFlight).toBe(0);
  expect(faults).toMatchObject([{ message: 'Hand over a server context of its own with each request.' }]);
});
