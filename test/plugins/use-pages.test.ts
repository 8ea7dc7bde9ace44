import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { badRequest } from '../../src/http/errors.ts';
import { bodyOf } from '../../src/http/response-body.ts';
import { pathOf, type Route } from '../../src/pages/route.ts';
import { codesIn, read } from '../library/support.ts';
import { served } from './served.ts';
import { TYPENAME, useFetchGateway } from './support.ts';

const PAGE = Buffer.from('a page');
const route: Route = (request) => {
  const path = pathOf(request);
  if (path === '/page') return () => ({ status: 200, headers: { 'X-Page': 1 }, body: PAGE, isOwnBody: true });
  if (path === '/vanished') return async () => undefined;
  if (path === '/refused') return () => Promise.reject(badRequest('Not this page.'));
  if (path === '/refused-at-once') throw badRequest('Not this page.');
  return undefined;
};
const operations: string[] = [];
const useCounting: Plugin = { onRequest: ({ url }) => void operations.push(url.pathname) };

const gateway = await useFetchGateway({ plugins: [useCounting] }, {}, { routes: [route] });
const full = await useFetchGateway({ maxOperations: 0 }, {}, { routes: [route] });
const elsewhere = await useFetchGateway({ graphqlEndpoint: '/api/graphql' });

test.each([
  '/',
  '/graphql/',
  '/x/graphql',
  '/GRAPHQL',
  '/health',
  '/graphiql',
  '/nothing?query={__typename}',
])('another path than that of the endpoint is told where that is: %s', async (path) => {
  const answer = await full.fetch({}, `http://localhost${path}`);
  expect(answer.status).toBe(404);
  expect(answer.body.errors).toMatchObject([
    { message: expect.stringContaining('GraphQL is served at /graphql'), extensions: { code: 'NOT_FOUND' } },
  ]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('the endpoint may be another one', async () => {
  const url = `http://localhost/api/graphql?query=${encodeURIComponent(TYPENAME)}`;
  expect(await elsewhere.fetch({}, url)).toMatchObject({ status: 200, body: { data: {} } });
  const answer = await elsewhere.post({ query: TYPENAME });
  expect([answer.status, codesIn(answer)]).toEqual([404, ['NOT_FOUND']]);
  expect(answer.text).toContain('GraphQL is served at /api/graphql');
});

test("another server's requests get no page", async () => {
  expect((await gateway.fetch({}, 'http://localhost/page')).status).toBe(404);
});

const open = async ({ gateway: { fetch } }: typeof gateway, path: string) =>
  fetch(`http://localhost${path}`, { method: 'GET' }, served(path));

test('a page has its status, its headers, and its body beside it', async () => {
  const response = await open(gateway, '/page');
  expect([response.status, response.headers.get('x-page')]).toEqual([200, '1']);
  expect(bodyOf(response)).toEqual({ pieces: [PAGE], ownBytes: PAGE.length });
});

test.each([
  ['/vanished', 404, 'NOT_FOUND'],
  ['/refused', 400, 'BAD_REQUEST'],
  ['/refused-at-once', 400, 'BAD_REQUEST'],
  ['/nothing', 404, 'NOT_FOUND'],
])('a page that there is not is an error with a code: %s', async (path, status, code) => {
  const answer = await read(await open(gateway, path));
  expect([answer.status, codesIn(answer)]).toEqual([status, [code]]);
});

test('pages are no operations: neither limits of operations nor plugins of users concern them', async () => {
  operations.length = 0;
  await open(gateway, '/page');
  await open(gateway, '/nothing');
  expect(operations).toEqual([]);
  expect((await open(full, '/page')).status).toBe(200);
  await gateway.post({ query: TYPENAME });
  expect(operations).toEqual(['/graphql']);
});
