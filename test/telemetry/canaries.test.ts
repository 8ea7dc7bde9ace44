import type { Plugin } from 'graphql-yoga';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { ADMINISTRATION, BASIC, BEARER, useGateway } from '../support/gateway.ts';
import { createTestSpans, createTestTelemetry } from '../support/telemetry.ts';

const CANARY = 'c4n4ry';
const faultyPlugin: Plugin = {
  onExecute({ args: { operationName } }) {
    if (operationName === 'Fault') throw new Error(CANARY);
  },
};

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;

const withQuery = (query: string) => ({ body: { query } });
const withHeaders = (headers: Readonly<Record<string, string>>) => ({ headers, body: { query: LIST } });

/** Every place of a request where somebody may put a secret, on purpose or not. */
const places: Readonly<Record<string, Sent>> = {
  'a comment of the document': withQuery(`# ${CANARY}\n${LIST}`),
  'a string of the document': withQuery(
    `{ debtor(administrationId: "${CANARY}", by: { id: "1" }) { name } }`,
  ),
  'the names and values of a document': {
    body: {
      query: `query ($${CANARY}: String) { ${CANARY}: node(id: "${CANARY}") { ...${CANARY} } }
        fragment ${CANARY} on Node { id @skip(if: false) ... @include(if: $${CANARY}) { id } }`,
      variables: { [CANARY]: CANARY },
      extensions: { [CANARY]: CANARY },
      [CANARY]: CANARY,
    },
  },
  'a field that does not exist': withQuery(`{ ${CANARY} }`),
  'a document that cannot be parsed': withQuery(`{ ${CANARY}`),
  'a variable': { body: { query: 'query ($a: ID!) { node(id: $a) { id } }', variables: { a: CANARY } } },
  'a variable of the wrong type': {
    body: { query: 'query ($a: Boolean!) { __typename @skip(if: $a) }', variables: { a: CANARY } },
  },
  'an operationName that does not exist': { body: { query: '{ __typename }', operationName: CANARY } },
  'a hash': { body: { extensions: { persistedQuery: { version: 1, sha256Hash: CANARY } } } },
  'a documentId': { body: { documentId: CANARY } },
  'a body that is no JSON': { body: CANARY },
  'a refresh token': {
    headers: BASIC,
    body: {
      query: `mutation { refreshAccessToken(input: { refreshToken: "${CANARY}" }) { token { scopes } } }`,
    },
  },
  'a bearer token': withHeaders({ authorization: `Bearer ${CANARY}` }),
  'a Basic credential': {
    headers: { authorization: `Basic ${Buffer.from(`${CANARY}:${CANARY}`).toString('base64')}` },
    body: { query: '{ companies { nodes { name } } }' },
  },
  'a credential of another kind': withHeaders({ authorization: `Digest ${CANARY}` }),
  'X-Client-Authorization': withHeaders({ ...BEARER, 'x-client-authorization': CANARY }),
  'a request id that is not valid': {
    headers: { 'x-request-id': `${CANARY} ${CANARY}` },
    body: { query: LIST },
  },
  'a traceparent that is not valid': withHeaders({ ...BEARER, traceparent: `00-${CANARY}-1-01` }),
  tracestate: withHeaders({
    ...BEARER,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `vendor=${CANARY}`,
  }),
  'headers of the client': withHeaders({ 'user-agent': CANARY, referer: CANARY, origin: CANARY }),
  'a content type': withHeaders({ 'content-type': CANARY }),
  accept: withHeaders({ accept: CANARY }),
  'a host': withHeaders({ host: `${CANARY}.example` }),
  'a path': { method: 'GET', path: `/${CANARY}` },
  'a query of a path': { method: 'GET', path: `/health?token=${CANARY}` },
  'a GET of an operation': {
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent(`{${CANARY}}`)}&x=${CANARY}`,
  },
  'an unexpected error': {
    headers: BEARER,
    body: { query: 'query Fault { __typename }', operationName: 'Fault' },
  },
};

/** `fetch` would not send all of these headers. */
async function send({ method = 'POST', path = '/graphql', headers, body }: Sent): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const answer = await request(new URL(path, gateway.url), {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: method === 'GET' ? null : text,
  });
  await answer.body.dump();
}

const spans = createTestSpans();
const observed = createTestTelemetry({ tracer: spans.tracer });
const gateway = await useGateway({
  ...observed.options,
  gateway: { ...observed.options.gateway, plugins: [faultyPlugin] },
});

// Tests run in the order in which they stand, so a line that comes late is found by a later one.
test.each(Object.entries(places))('no log, metric or span contains %s', async (_place, sent) => {
  await send(sent);
  const shown = [observed.text(), observed.exposition(), spans.text()].join('\n');
  expect(shown.includes(CANARY)).toBe(false);
  expect(shown.includes(Buffer.from(`${CANARY}:${CANARY}`).toString('base64'))).toBe(false);
});

test('requests with secrets are logged and traced', async () => {
  const pages = Object.values(places).filter(({ path = '/graphql' }) => !path.startsWith('/graphql'));
  const operations = Object.keys(places).length - pages.length;
  const logged = () => {
    return observed.lines().filter(({ message }) => message === 'operation');
  };
  await expect.poll(() => logged().length).toBe(operations);
  expect(logged().filter(({ type }) => type === 'query').length).toBeGreaterThan(5);
  expect(spans.spans().length).toBeGreaterThan(operations);
  const faults = observed.lines().filter(({ message }) => message === 'unexpected error');
  expect(faults.map(({ error }) => error)).toEqual(['Error']);
});
