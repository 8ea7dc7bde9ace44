import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { buildRequestHeaders } from '../../src/graphiql/headers.ts';
import { fetchEstimate } from '../../src/graphiql/send.ts';
import { useGateway } from '../support/gateway.ts';
import { listen } from '../support/resources.ts';

const gateway = await useGateway({ gateway: { maxCalls: 8 } });

function estimate(query: string, url = gateway.url) {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  return fetchEstimate({ url, headers, operation: { query } }, false);
}

test.each([
  [
    '{ debtors(administrationId: "1001", first: 600) { nodes { name } } }',
    'at most 2 of 8 REST calls',
    false,
  ],
  [
    '{ debtors(administrationId: "1001") { totals { count } } }',
    expect.stringMatching(/^at most \d+ of 8 REST calls: .* may be null$/),
    true,
  ],
  [
    `{ ${'abcdefghi'.replace(/./g, '$&: debtors(administrationId: "$&") { nodes { name } } ')} }`,
    expect.stringContaining('at most 8 are allowed'),
    true,
  ],
  [
    'mutation { unmarkTaskCompleted(input: { taskId: "1" }) { task { id } } }',
    'at most 1 of 8 REST calls',
    false,
  ],
])('the page estimates %s without a call', async (query, text, isTooExpensive) => {
  expect(await estimate(query)).toEqual({ text, isTooExpensive });
  expect(gateway.calls()).toEqual([]);
});

test('the page estimates a subscription per event', async () => {
  const query = 'subscription { changes(administrationId: "1001") { cursor } }';
  const headers = buildRequestHeaders({ token: '', clientId: '', clientSecret: '' }, {});
  const estimated = await fetchEstimate({ url: gateway.url, headers, operation: { query } }, true);
  expect(estimated).toEqual({ text: 'at most 0 of 8 REST calls per event', isTooExpensive: false });
  expect(gateway.calls()).toEqual([]);
});

test.each(['{ debtors', '{ none }'])(
  'the invalid query %j has no estimate until it is fixed',
  async (query) => {
    expect(await estimate(query)).toEqual({ text: 'Fix the query to see its cost', isTooExpensive: false });
  },
);

test('the page shows no estimate of an earlier gateway, which executes nothing', async () => {
  const accepted: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    accepted.push(headers.accept);
    response.writeHead(406, { 'Content-Type': 'application/json' }).end('{"errors":[{"message":"No."}]}');
  });
  const port = await listen(server, afterAll);
  expect(await estimate('mutation { a }', `http://127.0.0.1:${port}`)).toBeNull();
  expect(accepted).toEqual(['application/estimate+json']);
});
