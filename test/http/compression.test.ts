import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { BEARER } from '../support/gateway.ts';
import { serveBuilt } from '../support/serve.ts';
import { exchange, postOf } from '../support/sockets.ts';
import { times } from '../support/times.ts';

type Decode = (bytes: Buffer) => Buffer;
const DECODERS: [encoding: string, decode: Decode][] = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
];

const SETTINGS = { PORT: '0', SHUTDOWN_GRACE_MS: '0' };
const server = await serveBuilt(readConfig(SETTINGS, []));
const off = await serveBuilt(readConfig({ ...SETTINGS, COMPRESSION: 'off' }, []));
for (const { stop } of [server, off]) afterAll(stop);

/** A few hundred rows with names beyond ASCII, and more than is compressed in one chunk. */
const ROWS = '{ debtors(administrationId: "1001", first: 300) { nodes { internalId name bookOpenAmount } } }';
const LARGE = `{ debtors(administrationId: "1001", first: 1000) { nodes { ${times(60, (index) => `a${index}: name`).join(' ')} } } }`;

/** Requests the bytes as they travel: `fetch` would decode them. */
async function send(url: string | URL, method: Dispatcher.HttpMethod, headers: object, body?: string) {
  const all = { ...BEARER, 'content-type': 'application/json', ...headers };
  const response = await request(url, { method, headers: all, ...(body !== undefined && { body }) });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { headers: response.headers, status: response.statusCode, bytes };
}
const post = (query: string, encoding: string, { url } = server) =>
  send(url, 'POST', { 'accept-encoding': encoding }, JSON.stringify({ query }));
const getSchema = (headers: object, method: Dispatcher.HttpMethod = 'GET') =>
  send(new URL('/schema.graphql', server.url), method, headers);

/** Removes everything that differs from request to request. */
const dataIn = (bytes: Buffer) => JSON.parse(bytes.toString()).data;

describe.each(DECODERS)('a response in %s', (encoding, decode) => {
  test.each([
    ['rows', ROWS],
    ['a large result', LARGE],
  ])('has fewer bytes for %s', async (_what, query) => {
    const plain = await post(query, 'identity');
    const { headers, bytes } = await post(query, encoding);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(dataIn(decode(bytes))).toEqual(dataIn(plain.bytes));
  });

  test('has its own ETag for a page', async () => {
    const plain = await getSchema({});
    const { headers, bytes } = await getSchema({ 'accept-encoding': encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(bytes.length) });
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
    const known = { 'if-none-match': String(headers.etag) };
    const again = await getSchema({ ...known, 'accept-encoding': encoding });
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag]);
    expect(await getSchema(known)).toMatchObject({ status: 200, headers: { etag: plain.headers.etag } });
    const head = await getSchema({ 'accept-encoding': encoding }, 'HEAD');
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(bytes.length)]);
  });
});

test.each([
  ['', undefined],
  ['deflate, nonsense', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['*;q=0', undefined],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0.5', 'gzip'],
  ['*, br;q=0', 'gzip'],
])('the response to `Accept-Encoding: %s` has the encoding %s', async (accepted, encoding) => {
  expect((await post(ROWS, accepted)).headers['content-encoding']).toBe(encoding);
});

test('a short response is not compressed', async () => {
  expect((await post('{ __typename }', 'gzip, br')).headers).not.toHaveProperty('content-encoding');
});

test('nothing is compressed with COMPRESSION=off, or for HTTP/1.0 without Accept-Encoding', async () => {
  expect((await post(ROWS, 'gzip, br', off)).headers).not.toHaveProperty('content-encoding');
  const { text } = await exchange(server.url, postOf(ROWS).replace('HTTP/1.1', 'HTTP/1.0'));
  expect(text).toContain('"internalId":"300001"');
});
