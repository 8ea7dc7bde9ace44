import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { useGateway } from '../support/gateway.ts';
import { exchange, openConnection } from '../support/sockets.ts';

const gateway = await useGateway();
const BODY = '{"query":"{ __typename }"}';

function post(headers: readonly string[], body = BODY, version = '1.1'): string {
  const head = [`POST /graphql HTTP/${version}`, 'Content-Type: application/json', ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const LENGTH = `Content-Length: ${BODY.length}`;
const send = (bytes: string) => exchange(gateway.url, bytes);
const statusesIn = (text: string) =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status);
const connectionsIn = (text: string) =>
  Array.from(text.matchAll(/^Connection: (\S+)/gim), ([, value]) => value);

describe('HTTP/1.0', () => {
  test('needs no Host, as in the health checks of load balancers', async () => {
    expect(await send('GET /health HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200 });
    expect(await send('GET /ready HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200 });
    expect(await send(post([LENGTH], BODY, '1.0'))).toMatchObject({ status: 200 });
  });

  test('may have one, which has to be sane', async () => {
    expect(await send('GET /health HTTP/1.0\r\nHost: x\r\n\r\n')).toMatchObject({ status: 200 });
    expect(await send('GET /health HTTP/1.0\r\nHost: a b\r\n\r\n')).toMatchObject({ status: 400 });
  });

  test('is not sent 100 Continue, which it does not know', async () => {
    const { text } = await send(post([LENGTH, 'Expect: 100-continue'], BODY, '1.0'));
    expect(statusesIn(text)).toEqual(['200']);
  });

  test('is the only one that needs none', async () => {
    expect(await send('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatchObject({ status: 400 });
  });
});

describe('a body that is declared too large', () => {
  const DECLARED = ['Host: x', 'Content-Length: 512001'];

  test('is refused before any of it has arrived', async () => {
    const { status, text } = await send(post(DECLARED, ''));
    expect(status).toBe(413);
    expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
    expect(connectionsIn(text)).toEqual(['close']);
  });

  test('is not asked for', async () => {
    const { text } = await send(post([...DECLARED, 'Expect: 100-continue'], ''));
    expect(statusesIn(text)).toEqual(['413']);
  });
});

describe('a client that waits to be asked for its body', () => {
  test('is asked once, and its connection is kept', async () => {
    const connection = await openConnection(gateway.url, post(['Host: x', 'Expect: 100-continue', LENGTH]));
    await eventually(() => expect(statusesIn(connection.text)).toEqual(['100', '200']));
    connection.socket.write(post(['Host: x', 'Connection: close', LENGTH]));
    await connection.closed;
    expect(statusesIn(connection.text)).toEqual(['100', '200', '200']);
  });
});

describe('the text of a body', () => {
  const postAs = (contentType: string, body: string | Uint8Array<ArrayBuffer> = BODY) =>
    fetch(gateway.url, { method: 'POST', headers: { 'content-type': contentType }, body });

  test.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('may be named as %s', async (charset) => {
    expect((await postAs(`application/json; charset=${charset}`)).status).toBe(200);
    expect((await postAs(`application/json;x=y;Charset = ${charset}`)).status).toBe(200);
  });

  test.each(['utf-16', 'UTF-16LE', 'latin1', 'iso-8859-1', '', 'utf-8x', 'utf-8; charset=latin1'])(
    'in another encoding is refused: %j',
    async (charset) => {
      const response = await postAs(`application/json; charset=${charset}`);
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({
        errors: [{ message: 'Send the body in UTF-8.', extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }],
      });
    },
  );

  test('that is no UTF-8 is refused, not mended', async () => {
    const response = await postAs(
      'application/json',
      Buffer.from(`{"query":"{ __typename } # \xe9"}`, 'latin1'),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'The body is not UTF-8.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});

test('the answer to a request to switch protocols closes its connection: Node reads nothing behind it', async () => {
  const { text } = await send(post(['Host: x', LENGTH, 'Connection: Upgrade', 'Upgrade: h2c']));
  expect([statusesIn(text), connectionsIn(text)]).toEqual([['200'], ['close']]);
});

test('what is refused before it is HTTP says what it depends on, as all refusals do', async () => {
  expect((await send('nonsense\r\n\r\n')).text).toMatch(/^vary: Accept, Accept-Encoding\r$/m);
});

test.each([
  ['a large body of another type', ['Content-Type: text/plain', 'Content-Length: 10000000000']],
  ['a chunked body of another type', ['Content-Type: text/plain', 'Transfer-Encoding: chunked']],
])('%s is refused, and the connection closed instead of reading it', async (_what, headers) => {
  const head = ['POST /graphql HTTP/1.1', 'Host: localhost', ...headers].join('\r\n');
  const { text } = await exchange(gateway.url, `${head}\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 415 /);
  expect(text).toMatch(/\r\nConnection: close\r\n/i);
});

test('an error quotes no more of a long name than a message may have', async () => {
  const { errors } = await gateway.query(`{ ${'x'.repeat(50_000)} }`);
  expect(errors?.[0]?.message.length).toBeLessThan(1_100);
});
