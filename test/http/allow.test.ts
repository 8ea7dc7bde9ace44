import { Agent, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { serveBuilt } from '../support/serve.ts';

const ORIGIN = 'https://app.example';
const LISTED = { PORT: '0', SHUTDOWN_GRACE_MS: '0', CORS_ORIGINS: ORIGIN };
const running = await serveBuilt(readConfig(LISTED, []));
afterAll(running.stop);
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => agent.destroy());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'];
const QUERY = encodeURIComponent('{ __typename }');
const MUTATION = encodeURIComponent('mutation { __typename }');
const PATHS = [
  '/graphql',
  `/graphql?query=${QUERY}`,
  '/',
  '/docs',
  '/docs/querying',
  '/docs/nothing',
  '/schema.graphql',
  '/graphiql/assets/nothing.js',
  '/health',
  '/ready',
  '/metrics',
  '/status',
  '/nothing',
];
const REQUESTS = PATHS.flatMap((path) =>
  ['*/*', 'text/html'].flatMap((accept) =>
    [undefined, ORIGIN].map((origin) => ({
      path,
      headers: { accept, ...(origin && { origin }) },
    })),
  ),
);

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Received {
  readonly method: string;
  readonly status: number;
  readonly allow: string | undefined;
}

function send(method: string, { path, headers }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.url);
    const sent = request({ agent, hostname, port, method, path, headers });
    for (const event of ['response', 'connect'] as const)
      sent.on(event, (response) => {
        response.resume();
        if (event === 'connect') sent.destroy();
        resolve({ method, status: response.statusCode ?? 0, allow: response.headers.allow });
      });
    sent.on('error', reject).end();
  });
}

/** The methods that the same request may have: a page that is missing is looked for, at least. */
function served(answers: readonly Received[]): string {
  return answers
    .filter(({ status }) => status !== 405)
    .map(({ method }) => method)
    .join(', ');
}

test('a 405 names the methods that the same request is served by, and nothing else names any', async () => {
  const answers = await Promise.all(
    REQUESTS.map(
      async (sent) => [sent, await Promise.all(METHODS.map((method) => send(method, sent)))] as const,
    ),
  );
  const refusals = answers.flatMap(([sent, received]) =>
    received.map((answer) => ({
      ...sent,
      ...answer,
      expected: answer.status === 405 ? served(received) : undefined,
    })),
  );
  expect(refusals.filter(({ allow, expected }) => allow !== expected)).toEqual([]);
  expect(new Set(refusals.map(({ allow }) => allow))).toEqual(
    new Set([
      undefined,
      'GET, POST',
      'GET, HEAD, POST',
      'GET, POST, OPTIONS',
      'GET, HEAD, POST, OPTIONS',
      'GET, HEAD',
      'GET, HEAD, OPTIONS',
    ]),
  );
});

test.each([
  [undefined, 'POST'],
  [ORIGIN, 'POST, OPTIONS'],
])('a mutation by GET from the origin %s names %s', async (origin, allow) => {
  const sent = { path: `/graphql?query=${MUTATION}`, headers: { accept: '*/*', ...(origin && { origin }) } };
  expect(await send('GET', sent)).toMatchObject({ status: 405, allow });
});
