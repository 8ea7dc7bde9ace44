import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { type DocumentNode, parse } from 'graphql';
import { createElement } from 'react';
import { renderToStaticMarkup as renderFunction } from 'react-dom/server';
import { createOperationDescriptor } from 'relay-runtime';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { relayRequest } from '../clients/relay-request.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, FOREIGN_ADMINISTRATION, freshGateway, useGateway } from '../support/gateway.ts';
import { changeDebtor, debtorsOf } from '../support/rest-records.ts';

const POLLING = { gateway: { changesPollMs: 50 } };
const gateway = await useGateway(POLLING);
const { application, refreshToken, tokens } = demoCredentials;

/** Where the pages say that the gateway is, and a server that gives a token which is refused, then one which is not. */
const given: string[] = [];
const realFetch = globalThis.fetch;
let address = gateway.url;
beforeEach(() => {
  address = gateway.url;
  // Each client with a token of its own.
  vi.resetModules();
  given.length = 0;
  const fetched = async (input: string | URL | Request, init?: RequestInit) => {
    if (input !== '/token') return realFetch(here(String(input)), init);
    const token = given.length === 0 ? 'expired' : tokens.companyA;
    given.push(token);
    return new Response(token);
  };
  vi.stubGlobal('fetch', vi.fn(fetched));
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

test.each(Object.entries(CLIENTS))('%s renews a token that is refused, and asks again', async (_, ask) => {
  expect(await ask(parse(QUERY))).toMatchObject({ debtors: { nodes: [{ name }] } });
  expect(given).toEqual(['expired', tokens.companyA]);
});

test.each([
  [ADMINISTRATION, `^<ul><li>${name}: .*</li></ul><button type="button">More</button>$`],
  [FOREIGN_ADMINISTRATION, '^<p>You have no access to this administration.</p>$'],
])('React shows the debtors of %s', async (administrationId, html) => {
  const { client } = await import('./clients/apollo.ts');
  const { Debtors } = await import('./clients/debtors.tsx');
  const tree = createElement(Debtors, { administrationId });
  const { result } = await prerenderStatic({ tree, context: { client }, renderFunction });
  expect(result).toMatch(new RegExp(html));
});

test('requests that are refused together renew the token once', async () => {
  const { gatewayFetch } = await import('./clients/gateway-fetch.ts');
  const body = JSON.stringify({ query: QUERY });
  const headers = { 'content-type': 'application/json' };
  const ask = () => gatewayFetch('http://localhost:4000/graphql', { method: 'POST', headers, body });
  const answers = await Promise.all((await Promise.all([ask(), ask(), ask()])).map((each) => each.json()));
  for (const { data } of answers) expect(data.debtors.nodes).toMatchObject([{ name }]);
  expect(given).toHaveLength(2);
});

test('where no token can be had, the next request asks for one again', async () => {
  const { gatewayFetch } = await import('./clients/gateway-fetch.ts');
  vi.mocked(fetch).mockResolvedValueOnce(new Response('', { status: 503 }));
  await expect(gatewayFetch('/anything')).rejects.toThrow('Log in again.');
  const answer = await gatewayFetch(`http://localhost:4000/graphql?query=${encodeURIComponent(QUERY)}`);
  expect(await answer.json()).toMatchObject({ data: { debtors: { nodes: [{ name }] } } });
});

const LIVE = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { __typename cursor } }`;

type Tell = (data: unknown) => void;

/** Follows changes as a program that uses the snippet would. */
const FOLLOWERS = {
  async 'Apollo Client'(tell: Tell) {
    const { client } = await import('./clients/apollo.ts');
    const live = client.subscribe({ query: parse(LIVE) }).subscribe(({ data }) => tell(data));
    return () => live.unsubscribe();
  },
  async urql(tell: Tell) {
    const { client } = await import('./clients/urql.ts');
    return client.subscription(LIVE, {}).subscribe(({ data }) => tell(data)).unsubscribe;
  },
  async 'graphql-sse'(tell: Tell) {
    const { follow } = await import('./clients/graphql-sse.ts');
    return follow(LIVE, (changes) => tell({ changes }), tell);
  },
};

async function expectChanges(told: unknown[]): Promise<void> {
  told.length = 0;
  await eventually(() => {
    changeDebtor(gateway.rest, ADMINISTRATION, { name: `Another ${Date.now()}` });
    expect(told).toContainEqual({ changes: { __typename: 'DebtorChanged', cursor: expect.any(String) } });
  });
}

test.each(Object.entries(FOLLOWERS))('%s renews a token that a stream is refused for', async (_, start) => {
  const told: unknown[] = [];
  onTestFinished(await start((data) => told.push(data)));
  await expectChanges(told);
  expect(given).toEqual(['expired', tokens.companyA]);
});

test('graphql-sse goes on where the gateway is restarted', async () => {
  const first = await freshGateway({ ...POLLING, over: gateway.rest });
  address = first.url;
  const told: unknown[] = [];
  onTestFinished(await FOLLOWERS['graphql-sse']((data) => told.push(data)));
  await expectChanges(told);
  address = gateway.url;
  await first.drain();
  await expectChanges(told);
});

test.each([
  ['refused', 'administrationId: "1"', 'FORBIDDEN'],
  [
    'started too far back',
    `administrationId: "${ADMINISTRATION}", kinds: [PAYMENT_DELETED], since: "2020-01-01T00:00:00Z"`,
    'CHANGES_EXPIRED',
  ],
])('graphql-sse tells that a subscription is %s', async (_, args, code) => {
  const { follow } = await import('./clients/graphql-sse.ts');
  const end = vi.fn();
  onTestFinished(follow(`subscription { changes(${args}) { cursor } }`, () => {}, end));
  await eventually(() => expect(end).toHaveBeenCalledWith(expect.objectContaining({ code })));
});

test('a server refreshes a pair of tokens', async () => {
  vi.stubEnv('CLIENT_ID', application.clientId);
  vi.stubEnv('CLIENT_SECRET', application.clientSecret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { refresh } = await import('./clients/refresh.ts');
  const pair = await refresh(refreshToken);
  expect(pair).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String) });
  await expect(refresh('unknown')).rejects.toThrow(/^BAD_USER_INPUT: ./);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('a program in Python refreshes a token that is refused, and asks again', async () => {
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
