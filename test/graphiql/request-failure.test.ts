import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createFetcher } from '../../src/graphiql/fetcher.ts';
import { createBrowserSession, fetchTokenAccess, type Session } from '../../src/graphiql/session.ts';
import { listen } from '../support/resources.ts';
import { memoryStorage } from './memory-storage.ts';

const FAILED = {
  data: null,
  errors: [{ message: 'It fails.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
};
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/down': (response) => response.destroy(),
  '/proxy': (response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad</h1>'),
  '/cut': (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Length': '100' }).write('{"da');
    setImmediate(() => response.destroy());
  },
  '/events': (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const events = [1, 2].map((a) => `event: next\ndata: {"data":{"a":${a}}}\n\n`);
    response.write(events.join(''), () => response.destroy());
  },
  '/silent': () => {},
  '/rest': (response) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(FAILED)),
  '/fine': (response) => response.writeHead(200, JSON_TYPE).end('{"data":{"a":1}}'),
};
const NOT_REACHED = 'The gateway does not respond. Check that it is running, then try again.';
const PROXY =
  'The response is not a GraphQL result: 502 Bad Gateway. A proxy may have sent it while the gateway is down: try again in a moment.';
const CUT = 'The connection closed in the middle of the response. Try again.';

const credentials = { token: 'abc', clientId: '', clientSecret: '' };
const operation = { query: '{ a }' };
const server = createServer((request, response) => ANSWERS[request.url ?? '']?.(response));
const port = await listen(server, afterAll);

const at = (path: string) => `http://127.0.0.1:${port}${path}`;
const open = () =>
  createBrowserSession({ endpoint: '', credentials, administrationId: '1', tabs: [] }, memoryStorage());

async function ask(path: string, session: Session, headers: Record<string, string> = {}): Promise<void> {
  for await (const _answer of createFetcher(at(path), session)(operation, { headers }));
}

/** Returns everything that GraphiQL shows of an error: its members, its message and its stack. */
async function failure(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof Error)) return error;
    return JSON.parse(JSON.stringify({ ...error, message: error.message, stack: error.stack }));
  }
  throw new Error('It did not fail');
}

test.each([
  ['/down', NOT_REACHED],
  ['/proxy', PROXY],
  ['/cut', CUT],
])('at %s, the page shows a connection error until a response', async (path, connectionError) => {
  const session = open();
  expect(await failure(() => fetchTokenAccess(at(path), credentials))).toEqual({
    message: connectionError,
  });
  expect(await failure(() => ask(path, session))).toEqual({ message: connectionError });
  expect(session.get().connectionError).toBe(connectionError);
  await ask('/fine', session);
  expect(session.get().connectionError).toBeNull();
});

test('an error of the REST service while the page reads what a token reaches is thrown', async () => {
  expect(await failure(() => fetchTokenAccess(at('/rest'), credentials))).toEqual({ message: 'It fails.' });
});

test('a request whose headers cannot be sent fails without a connection error', async () => {
  const session = open();
  const send = () => ask('/fine', session, { 'X-Typed': 'ą' });
  expect(await failure(send)).toEqual({ message: expect.stringMatching(/^Request not sent\. /) });
  expect(session.get().connectionError).toBeNull();
});

test('a stream that breaks shows its error and then its events, the newest first', async () => {
  const session = open();
  const shown = [];
  for await (const result of createFetcher(at('/events'), session)(operation)) shown.push(result);
  const message = 'The connection closed before the stream was complete. Run it again.';
  const events = [{ errors: [{ message }] }, { data: { a: 2 } }, { data: { a: 1 } }];
  expect(shown.at(-1)).toMatchObject({ errors: [{ message }], extensions: { graphiql: { events } } });
  expect(session.get().connectionError).toBe(message);
});

test('stopping an operation closes its request and shows no result', async () => {
  const session = open();
  const asked = once(server, 'request');
  const answers = createFetcher(at('/silent'), session)(operation);
  const next = answers.next();
  const [request] = await asked;
  const closed = once(request.socket, 'close');
  await answers.return(undefined);
  expect(await next).toEqual({ done: true, value: undefined });
  await closed;
  expect(session.get().connectionError).toBeNull();
});
