import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLibrary } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { useGateway } from '../support/gateway.ts';
import { exchange, openConnection } from '../support/sockets.ts';

const gateway = await useGateway();

const handshake = (upgrade: string) =>
  `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';

const REFUSAL = {
  errors: [
    {
      message:
        'There are no WebSockets here. Subscribe over HTTP: send `Accept: text/event-stream`, or ' +
        '`Accept: multipart/mixed;subscriptionSpec=1.0`.',
      extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) },
    },
  ],
};
const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

describe('a client that asks for a WebSocket is told how to subscribe', () => {
  test.each(['websocket', 'WebSocket', 'h2c, websocket'])('by the guard (%s)', async (upgrade) => {
    const { status, text } = await exchange(gateway.url, handshake(upgrade));
    expect([status, bodyOf(text)]).toEqual([400, REFUSAL]);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  test('by Yoga in a server of its user', async () => {
    const library = await startLibrary();
    onTestFinished(library.close);
    const server = createServer(library.gateway).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close().closeAllConnections());
    await eventually(() => expect(server.listening).toBe(true));
    const { port } = server.address() as AddressInfo;
    const connection = await openConnection(`http://127.0.0.1:${port}`, handshake('websocket'));
    await eventually(() => expect(connection.text).toContain('"errors"'));
    expect(connection.text).toContain('HTTP/1.1 400 ');
    expect(connection.text).toContain('There are no WebSockets here.');
  });
});
