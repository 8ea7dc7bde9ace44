import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { useGateway } from '../support/gateway.ts';
import { exchange } from '../support/sockets.ts';

const gateway = await useGateway({ handler: { routes: [createSchemaText(schema)] } });
const BODY = JSON.stringify({ query: '{ __typename }' });

/** A request as it travels, on a connection of its own. */
function send(line: string, headers: readonly string[], body = BODY) {
  const head = [line, ...headers, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return exchange(gateway.url, `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
}

const REFUSED = (status: number, code: string) => ({
  status,
  text: expect.stringMatching(new RegExp(`"extensions":\\{"code":"${code}","requestId":"[\\w-]+"\\}`)),
});

describe('a target', () => {
  test.each(['http://gateway.example/graphql', 'HTTPS://gateway.example:443/graphql', '/graphql'])(
    'may be in absolute form or not: %s',
    async (target) => {
      const answer = await send(`POST ${target} HTTP/1.1`, ['Host: x']);
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('"__typename":"Query"') });
    },
  );

  test('in absolute form may hold a query, and may be a page', async () => {
    const get = (target: string) => send(`GET ${target} HTTP/1.1`, ['Host: x'], '');
    expect(await get('http://x/graphql?query=%7B__typename%7D')).toMatchObject({ status: 200 });
    expect(await get('http://x/schema.graphql')).toMatchObject({ status: 200 });
    expect(await get('http://x/health?y')).toMatchObject({ status: 200 });
    expect(await get('http://x')).toMatchObject(REFUSED(404, 'NOT_FOUND'));
    expect(await get('http://x?query')).toMatchObject(REFUSED(404, 'NOT_FOUND'));
  });

  test.each(['*', 'ftp://x/graphql', 'graphql'])('of another kind is refused: %s', async (target) => {
    const { status } = await send(`OPTIONS ${target} HTTP/1.1`, ['Host: x'], '');
    expect([400, 404]).toContain(status);
  });
});

describe('a header', () => {
  test('Host has to be one', async () => {
    const answer = await send('POST /graphql HTTP/1.1', ['Host: a b']);
    expect(answer).toMatchObject(REFUSED(400, 'BAD_REQUEST'));
  });

  test.each(['nonsense', '200-ok'])('Expect of %s is refused', async (expectation) => {
    const { status } = await send('POST /graphql HTTP/1.1', ['Host: x', `Expect: ${expectation}`]);
    expect(status).toBe(417);
  });

  test('Expect of 100-continue is met', async () => {
    const { text } = await send('POST /graphql HTTP/1.1', ['Host: x', 'Expect: 100-Continue']);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });
});

describe('a body', () => {
  test('may start with a byte order mark', async () => {
    const response = await gateway.post(`\uFEFF${BODY}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  test.each(['gzip', 'br', 'deflate', 'x-gzip', 'gzip, gzip', 'nonsense'])(
    'in the encoding %s is refused, with what to do',
    async (encoding) => {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: new Uint8Array(gzipSync(BODY)),
      });
      expect(response.status).toBe(415);
      expect(response.headers.get('accept-encoding')).toBe('identity');
      expect(await response.json()).toMatchObject({
        errors: [
          {
            message: expect.stringContaining('without `Content-Encoding`'),
            extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', requestId: response.headers.get('x-request-id') },
          },
        ],
      });
    },
  );

  test.each(['identity', 'Identity', ''])('in the encoding %j is read', async (encoding) => {
    expect((await gateway.post(BODY, { 'content-encoding': encoding })).status).toBe(200);
  });
});

describe('an answer is not cached between the gateway and its client', () => {
  const headersOf = (response: Response) => [
    response.status,
    response.headers.get('cache-control'),
    response.headers.get('vary'),
  ];
  const KEPT_BY_NOBODY = ['private, no-store', 'Accept, Accept-Encoding'];

  test('of a GET, of another method and of an unknown path', async () => {
    const get = await fetch(`${gateway.url}?query={__typename}`);
    const put = await fetch(gateway.url, { method: 'PUT' });
    const unknown = await fetch(new URL('/nothing', gateway.url));
    expect([get, put, unknown].map(headersOf)).toEqual([
      [200, ...KEPT_BY_NOBODY],
      [405, ...KEPT_BY_NOBODY],
      [404, ...KEPT_BY_NOBODY],
    ]);
  });

  test('of /health and /ready', async () => {
    for (const path of ['/health', '/ready'])
      expect((await fetch(new URL(path, gateway.url))).headers.get('cache-control')).toBe('no-store');
  });
});

describe('what is not HTTP', () => {
  const slow = useGateway({ listen: { headersTimeoutMs: 100, requestTimeoutMs: 100 } });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'BAD_REQUEST'],
    ['large headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['half of the headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\nX-A: ', 408, 'REQUEST_TIMEOUT'],
  ])('is refused with all that any refusal has: %s', async (_what, bytes, status, code) => {
    const { text } = await exchange((await slow).url, bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [, requestId] = /^X-Request-Id: ([\w-]+)$/im.exec(head) ?? [];
    expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code, requestId } }] });
    expect(head).toMatch(/^Cache-Control: private, no-store\r?$/im);
    expect(head).toMatch(/^Connection: close\r?$/im);
  });

  test('leaves the server as it was', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.end('x\r\n\r\n'));
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect((await gateway.post(BODY)).status).toBe(200);
  });
});
