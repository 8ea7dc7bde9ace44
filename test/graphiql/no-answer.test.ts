import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadCsv } from '../../src/graphiql/download.ts';
import { createFetcher } from '../../src/graphiql/fetcher.ts';
import { askViewer, createBrowserSession } from '../../src/graphiql/session.ts';
import { memoryStorage } from './memory-storage.ts';

// What a user reads where the gateway is down, or something else answers in its place.

type Answer = (response: ServerResponse) => void;

const breakOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"da');
  setImmediate(() => response.destroy());
};
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/proxy': (response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad</h1>'),
  '/cut': breakOff,
  '/cut.csv?bom=1': breakOff,
  '/stream': (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: next\n');
    setImmediate(() => response.destroy());
  },
  '/fine': (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"a":1}}'),
};
const NOT_REACHED = 'The gateway does not answer. Check that it is running, then try again.';
const PROXY =
  'The answer is 502 Bad Gateway, without JSON of GraphQL. A proxy may have sent it while the gateway is down: try again in a moment.';
const CUT = 'The connection ended in the middle of the answer. Try again.';

const credentials = { token: 'abc', clientId: '', clientSecret: '' };
const operation = { query: '{ a }' };
const server = createServer((request, response) => ANSWERS[request.url ?? '']?.(response));
let origin: string;
let closed: string;

async function listen(listener: Server): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  return `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
}

beforeAll(async () => {
  origin = await listen(server);
  const down = createServer();
  closed = await listen(down);
  await new Promise((resolve) => down.close(resolve));
});

afterAll(() => {
  server.close();
});

const at = (path: string) => (path === '/down' ? closed : origin) + path;

const open = () =>
  createBrowserSession({ endpoint: '', credentials, administrationId: '1', tabs: [] }, memoryStorage());

/** What GraphiQL shows of an error: all of its members, its message, and its stack. */
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
  ['/down', {}, NOT_REACHED],
  ['/proxy', {}, PROXY],
  ['/cut', {}, CUT],
  ['/fine', { 'X-Typed': 'ą' }, expect.stringMatching(/^Request not sent\. /)],
])(
  'an operation at %s with the headers %j fails with one sentence, and no stack',
  async (path, headers, message) => {
    const fetcher = createFetcher(at(path), open());
    expect(await failure(() => fetcher(operation, { headers }))).toEqual({ message });
  },
);

test('a stream that breaks fails with one sentence, and no stack', async () => {
  const results = await createFetcher(at('/stream'), open())(operation);
  const read = async () => {
    if (!(Symbol.asyncIterator in results)) throw new Error('This is no stream');
    for await (const _result of results);
  };
  expect(await failure(read)).toEqual({
    message: 'The connection ended before the stream did. Run it again.',
  });
});

test.each([
  ['/down', NOT_REACHED],
  ['/proxy', PROXY],
  ['/cut', CUT],
])('the strip says so too, until there is an answer: %s', async (path, lost) => {
  const session = open();
  expect(await failure(() => askViewer(at(path), credentials))).toEqual({ message: lost });
  await failure(() => createFetcher(at(path), session)(operation));
  expect(session.get().lost).toBe(lost);
  await createFetcher(at('/fine'), session)(operation);
  expect(session.get().lost).toBeNull();
});

test.each([
  ['/down', NOT_REACHED],
  ['/cut', CUT],
])('a download from %s fails with the same sentence', async (path, message) => {
  const request = { url: at(path), headers: new Headers(), operation };
  expect(await failure(() => downloadCsv(request, false))).toEqual({ message });
});
