import { expect, test } from 'vitest';
import { BEARER } from '../../support/gateway.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { refused, startAll } from './support.ts';

const names = (count: number) => times(count, (index) => `a${index}: name`).join(' ');
const rows = (first: number, aliases: number) =>
  `{ debtors(administrationId: "1001", first: ${first}) { nodes { ${names(aliases)} } } }`;
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const GZIP = { ...BEARER, 'accept-encoding': 'gzip' };
const HTML = 'Accept: text/html';
const QUERY = encodeURIComponent('{ __typename }');

const REQUESTS: readonly (readonly [what: string, status: number, bytes: string])[] = [
  ['data', 200, postOf('{ debtors(administrationId: "1001", first: 1) { nodes { name } } }')],
  ['data by GET', 200, get(`/graphql?query=${QUERY}`, `Authorization: ${BEARER.authorization}`)],
  ['data in parts', 200, postOf(rows(500, 100))],
  ['compressed data', 200, postOf(rows(500, 5), GZIP)],
  ['data compressed while it is sent', 200, postOf(rows(2000, 150), GZIP)],
  ['a field that fails', 200, postOf('{ debtor(administrationId: "x", by: { id: "1" }) { name } }')],
  [
    'a document that is not valid',
    400,
    postOf('{ unknown }', { ...BEARER, accept: 'application/graphql-response+json' }),
  ],
  [
    'a body that is announced too large',
    413,
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n',
  ],
  [
    'a preflight',
    204,
    'OPTIONS /graphql HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n\r\n',
  ],
  ['the first page', 200, get('/')],
  ['GraphiQL', 200, get('/graphql', HTML)],
  ['the documentation', 200, get('/docs/querying', HTML)],
  ['the schema', 200, get('/schema.graphql')],
  ['a path that is not there', 404, get('/unknown')],
  ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['no HTTP', 400, 'GET / HTTP/1.1\r\nno header\r\n\r\n'],
  ['too large headers', 431, get('/', `X: ${'x'.repeat(40_000)}`)],
  ['/health', 200, get('/health')],
  ['/health in HTTP/1.0', 200, 'GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['/ready', 503, get('/ready')],
];

test('every response closes its connection after the port has closed', async () => {
  const { url, stop } = await startAll({ CORS_ORIGINS: 'https://app.example' });
  const opened = await Promise.all(
    REQUESTS.map(async ([what, , bytes]) => {
      // A request that has begun to arrive: its connection is not idle.
      const connection = await openConnection(url, bytes.slice(0, 4));
      return { what, bytes, connection };
    }),
  );
  const stopped = stop();
  await refused(url);
  for (const { bytes, connection } of opened) connection.socket.write(bytes.slice(4));
  const answers = opened.map(async ({ what, connection }) => {
    await connection.closed;
    const [head = ''] = connection.text.split('\r\n\r\n');
    return [what, statusesIn(head), head.toLowerCase().match(/^connection: .*/gm)];
  });
  expect(await Promise.all(answers)).toEqual(
    REQUESTS.map(([what, status]) => [what, [status], ['connection: close']]),
  );
  await stopped;
});
