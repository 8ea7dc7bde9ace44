import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { type DocumentNode, parse } from 'graphql';
import { createElement } from 'react';
import { renderToStaticMarkup as renderFunction } from 'react-dom/server';
import { createOperationDescriptor } from 'relay-runtime';
import { createServer } from 'vite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { relayRequest } from '../clients/relay-request.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, FOREIGN_ADMINISTRATION, freshGateway, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();
const { application, refreshToken, tokens } = demoCredentials;

/** Where the pages say that the gateway is, and a server that gives a token which is refused, then one which is not. */
const given: string[] = [];
/** The statuses with which that server refuses to give one next. */
const refusals: number[] = [];
const realFetch = globalThis.fetch;
let address = gateway.url;
beforeEach(() => {
  address = gateway.url;
  // Each client with a token of its own.
  vi.resetModules();
  given.length = 0;
  const fetched = async (input: string | URL | Request, init?: RequestInit) => {
    if (input !== '/token') return realFetch(here(String(input)), init);
    const status = refusals.shift() ?? 200;
    const token = given.length === 0 ? 'expired' : tokens.companyA;
    given.push(token);
    return new Response(token, { status });
  };
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

function here(text: string): string {
  return text.replace('http://localhost:4000/graphql', address);
}

const QUERY = `query Names { debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { id name } } }`;
const name = debtorsOf(gateway, ADMINISTRATION)[0]?.name;

/** Sends a query as a program that uses the snippet would. */
const CLIENTS: { readonly [client: string]: (query: DocumentNode) => Promise<unknown> } = {
  async 'Apollo Client'(query) {
    const { client } = await import('./clients/apollo.ts');
    return (await client.query({ query })).data;
  },
  async urql(query) {
    const { client } = await import('./clients/urql.ts');
    return (await client.query(query, {}).toPromise()).data;
  },
  async Relay(query) {
    const { environment } = await import('./clients/relay.ts');
    const operation = createOperationDescriptor(relayRequest(query), {});
    await environment.execute({ operation }).toPromise();
    return environment.lookup(operation.fragment).data;
  },
  async 'graphql-request'(query) {
    const { client } = await import('./clients/graphql-request.ts');
    return client.request(query);
  },
};

test.each(Object.entries(CLIENTS))('%s renews a rejected token and repeats the operation', async (_, ask) => {
  expect(await ask(parse(QUERY))).toMatchObject({ debtors: { nodes: [{ name }] } });
  expect(given).toEqual(['expired', tokens.companyA]);
});

test.each([
  [ADMINISTRATION, `^<ul><li>${name}: .*</li></ul><button type="button">More</button>$`],
  [FOREIGN_ADMINISTRATION, '^<p>You have no access to this administration.</p>$'],
])('React shows administration %s', async (administrationId, html) => {
  const { client } = await import('./clients/apollo.ts');
  const { Debtors } = await import('./clients/debtors.tsx');
  const tree = createElement(Debtors, { administrationId });
  const { result } = await prerenderStatic({ tree, context: { client }, renderFunction });
  expect(result).toMatch(new RegExp(html));
});

test('requests that are rejected at the same time renew the token once', async () => {
  const { gatewayFetch } = await import('./clients/gateway-fetch.ts');
  const body = JSON.stringify({ query: QUERY });
  const headers = { 'content-type': 'application/json' };
  const ask = () => gatewayFetch('http://localhost:4000/graphql', { method: 'POST', headers, body });
  const answers = await Promise.all((await Promise.all([ask(), ask(), ask()])).map((each) => each.json()));
  for (const { data } of answers) expect(data.debtors.nodes).toMatchObject([{ name }]);
  expect(given).toHaveLength(2);
});

test('a request fails if there is no token, and the next request gets a token again', async () => {
  const { gatewayFetch } = await import('./clients/gateway-fetch.ts');
  const ask = () => gatewayFetch(`http://localhost:4000/graphql?query=${encodeURIComponent(QUERY)}`);
  refusals.push(503, 401, 401);
  await expect(ask()).rejects.toThrow('No token is available. Try again later.');
  expect(await (await ask()).json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(await (await ask()).json()).toMatchObject({ data: { debtors: { nodes: [{ name }] } } });
});

test.each([
  ['rejected', 'administrationId: "1"', 'FORBIDDEN'],
  [
    'too far back',
    `administrationId: "${ADMINISTRATION}", kinds: [PAYMENT_DELETED], since: "2020-01-01T00:00:00Z"`,
    'CHANGES_EXPIRED',
  ],
])('graphql-sse reports that a subscription is %s', async (_, args, code) => {
  const { follow } = await import('./clients/follow.ts');
  const error = vi.fn();
  const request = { query: `subscription { changes(${args}) { cursor } }` };
  onTestFinished(follow(request, { next() {}, error, complete() {} }));
  await eventually(() => expect(error).toHaveBeenCalledWith(expect.objectContaining({ code })));
});

test('the documented server code refreshes a pair of tokens', async () => {
  vi.stubEnv('CLIENT_ID', application.clientId);
  vi.stubEnv('CLIENT_SECRET', application.clientSecret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { refresh } = await import('./clients/refresh.ts');
  const pair = await refresh(refreshToken);
  expect(pair).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String) });
  await expect(refresh('unknown')).rejects.toThrow(/^BAD_USER_INPUT: ./);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('the Python program refreshes a rejected token and repeats the query', async () => {
  address = (await freshGateway()).url;
  const source = here(readFileSync(new URL('clients/gateway.py', import.meta.url), 'utf8'));
  const program = `${source}
stored = []
gateway = Gateway("expired", ${JSON.stringify(refreshToken)}, ${JSON.stringify(application.clientId)}, ${JSON.stringify(application.clientSecret)}, stored.append)
print(json.dumps([gateway.query(${JSON.stringify(QUERY)})["data"], len(stored), gateway.query("{ nope }")["errors"][0]["extensions"]["code"]]))
gateway.access_token, gateway.refresh_token = "expired", "spent"
try:
    gateway.query(${JSON.stringify(QUERY)})
except RuntimeError as error:
    print(error)
`;
  const { stdout } = await promisify(execFile)('python3', ['-c', program]);
  const answered = { debtors: { nodes: [{ name }] } };
  const [answers = '', refusal] = stdout.split('\n');
  expect(JSON.parse(answers)).toMatchObject([answered, 1, 'GRAPHQL_VALIDATION_FAILED']);
  expect(refusal).toContain('refresh token');
});

test('a development server returns a token of the embedded service at /token', async () => {
  const { tokenStub } = await import('./clients/token-stub.ts');
  const server = await createServer({
    configFile: false,
    logLevel: 'silent',
    plugins: [tokenStub],
    server: { port: 0 },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const response = await realFetch(new URL('/token', server.resolvedUrls?.local[0]), { method: 'POST' });
  expect(await response.text()).toBe(tokens.companyA);
});
