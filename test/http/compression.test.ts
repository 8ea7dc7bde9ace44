import { request } from 'node:http';
import { connect } from 'node:net';
import * as zlib from 'node:zlib';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Compression } from '../../src/http/compression.ts';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { BEARER, freshGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { postOf } from '../support/sockets.ts';
import { times } from '../support/times.ts';

type Decode = (bytes: Buffer) => Buffer;
/** Later versions of Node have zstd too; the types are those of the earliest. */
const { zstdDecompressSync }: { readonly gunzipSync: Decode; readonly zstdDecompressSync?: Decode } = zlib;
const DECODERS: [encoding: string, decode: Decode][] = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
];
if (zstdDecompressSync) DECODERS.push(['zstd', zstdDecompressSync]);

const gateway = await useGateway({ handler: { routes: [createSchemaText(schema)] } });

/** A few hundred rows; with names that are no ASCII. */
const ROWS = '{ debtors(administrationId: "1001", first: 300) { nodes { internalId name bookOpenAmount } } }';
/** More than is compressed before it is sent. */
const LARGE = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${times(150, (index) => `a${index}: name`).join(' ')} } } }`;

interface Answer {
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly status: number | undefined;
  readonly bytes: Buffer;
}

/** As the bytes travel: `fetch` would decode them. */
function send(
  { url }: Pick<TestGateway, 'url'>,
  body: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  { path = '/graphql', method = body === undefined ? 'GET' : 'POST' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { ...BEARER, 'content-type': 'application/json', ...headers };
    request(new URL(path, url), { method, headers: all }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ headers: response.headers, status: response.statusCode, bytes: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end(body);
  });
}

function post(query: string, acceptEncoding: string, to: Pick<TestGateway, 'url'> = gateway) {
  return send(to, JSON.stringify({ query }), { 'accept-encoding': acceptEncoding });
}

describe.each(DECODERS)('an answer in %s', (encoding, decode) => {
  test('is the answer, in fewer bytes', async () => {
    const plain = await post(ROWS, 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { headers, bytes } = await post(ROWS, encoding);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      vary: 'Accept, Accept-Encoding',
      'cache-control': 'private, no-store',
    });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
  });

  test('that is large is compressed', async () => {
    const plain = await post(LARGE, 'identity');
    const { headers, bytes } = await post(LARGE, encoding);
    expect(plain.bytes.length).toBeGreaterThan(4_000_000);
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': `${bytes.length}` });
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
  });
});

describe('an answer comes as it is', () => {
  test.each([
    ['that is short', '{ __typename }', 'gzip, br'],
    ['to a client that accepts no encoding', ROWS, ''],
    ['to a client that refuses each encoding', ROWS, 'gzip;q=0, br;q=0, zstd;q=0'],
    ['to a client that prefers that', ROWS, 'identity, gzip;q=0.5'],
    ['to a client that refuses everything', ROWS, '*;q=0'],
  ])('%s', async (_what, query, acceptEncoding) => {
    const { headers, bytes } = await post(query, acceptEncoding);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(bytes.toString())).toHaveProperty('data');
  });

  test('where compression is off', async () => {
    const off = await freshGateway({ handler: { compression: new Compression(false) } });
    expect((await post(ROWS, 'gzip, br', off)).headers).not.toHaveProperty('content-encoding');
  });

  test('to an HTTP/1.0 client that names no encoding', async () => {
    const raw = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () =>
        socket.write(postOf(ROWS).replace('HTTP/1.1', 'HTTP/1.0')),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(raw).toContain('"internalId":"300001"');
  });
});

test('weights decide on the encoding', async () => {
  expect((await post(ROWS, 'gzip, br')).headers['content-encoding']).toBe('br');
  expect((await post(ROWS, 'gzip, br;q=0.5')).headers['content-encoding']).toBe('gzip');
  expect((await post(ROWS, '*, br;q=0, zstd;q=0')).headers['content-encoding']).toBe('gzip');
});

test('a short answer is compressed for a client that refuses it as it is', async () => {
  const { headers, bytes } = await post('{ __typename }', 'gzip, identity;q=0');
  expect(headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ data: { __typename: 'Query' } });
});

test('zstd is offered where Node has it', async () => {
  const { headers } = await post(ROWS, 'zstd');
  expect(headers['content-encoding']).toBe(zstdDecompressSync && 'zstd');
});

describe('a disconnect', () => {
  /** Sends a request, and leaves after so many milliseconds. */
  async function leave(target: TestGateway, query: string, wait: number): Promise<void> {
    const socket = connect(Number(new URL(target.url).port), '127.0.0.1');
    socket.on('error', () => {}).write(postOf(query, { ...BEARER, 'accept-encoding': 'br' }));
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => setTimeout(resolve, wait));
    socket.destroy();
  }

  test('at any moment does no harm', async () => {
    const target = await freshGateway();
    await Promise.all(times(12, (index) => leave(target, ROWS, 5 * index)));
    expect((await post(ROWS, 'br', target)).headers['content-encoding']).toBe('br');
  });
});

describe('a page', () => {
  const get = (headers: Record<string, string>, method = 'GET') =>
    send(gateway, undefined, headers, { path: '/schema.graphql', method });

  test.each(DECODERS)('comes in %s, with a tag of its own', async (encoding, decode) => {
    const plain = await get({});
    const { headers, bytes } = await get({ 'accept-encoding': encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      vary: 'Accept-Encoding',
    });
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
    expect(headers.etag).not.toBe(plain.headers.etag);
    const known = { 'if-none-match': String(headers.etag) };
    expect(await get({ ...known, 'accept-encoding': encoding })).toMatchObject({
      status: 304,
      headers: { etag: headers.etag, vary: 'Accept-Encoding' },
    });
    expect(await get(known)).toMatchObject({ status: 200, headers: { etag: plain.headers.etag } });
  });

  test('answers HEAD with the headers of a GET', async () => {
    const { headers } = await get({ 'accept-encoding': 'gzip' });
    const head = await get({ 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head.bytes).toHaveLength(0);
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      'content-encoding': 'gzip',
      'content-length': headers['content-length'],
    });
  });
});
