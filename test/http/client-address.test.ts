import fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { trustProxies } from '../../src/request/client-address.ts';
import { startNode } from '../library/mounts.ts';
import { startLibrary } from '../library/support.ts';
import { useAddresses } from '../support/addresses.ts';
import { freshGateway } from '../support/gateway.ts';

const COMPOSE = '10.89.17.10';
const LOCAL = '127.0.0.1';

/** Returns the address that trusted proxies report, and whether a warning was logged. */
function find(setting: string, peer: string | undefined, forwardedFor: string | undefined) {
  const warnings: object[] = [];
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: setting }, []);
  const findClientAddress = trustProxies(trustedProxies, (level, message, details) =>
    warnings.push({ level, message, ...details }),
  );
  return { address: findClientAddress(peer, forwardedFor), warnings };
}

describe('the client address', () => {
  test.each<[what: string, address: string, header: string | undefined, peer?: string, setting?: string]>([
    ['is that of the connection without the header', '127.0.0.1', undefined],
    ['is in the header of a proxy on this machine, by default', '192.0.2.7', '192.0.2.7'],
    ['is in the header of an IPv4-mapped peer', '192.0.2.7', '192.0.2.7', '::ffff:127.0.0.1'],
    ['is not what the client adds to the left', '192.0.2.7', '127.0.0.9, 198.51.100.1, 192.0.2.7'],
    [
      'is left of all trusted proxies',
      '192.0.2.7',
      `1.1.1.1, 192.0.2.7, ${COMPOSE}, ::1`,
      LOCAL,
      `loopback ${COMPOSE}`,
    ],
    ['is the leftmost if all are trusted', '192.168.1.1', '192.168.1.1, 10.9.9.9', '10.0.0.1', 'private'],
    ['has no port', '192.0.2.7', '192.0.2.7:54321'],
    ['has no brackets', '2001:db8::7', '[2001:db8::7]'],
    ['has spaces around it', '192.0.2.7', '1.1.1.1 ,\t192.0.2.7 '],
    ['is the peer if the last entry is invalid', '127.0.0.1', '192.0.2.7, unknown'],
    ['is the nearest trusted hop if another is', COMPOSE, `192.0.2.7, 1.2.3, ${COMPOSE}`, COMPOSE, COMPOSE],
    ['is the peer if the last entry is empty', '127.0.0.1', '192.0.2.7, '],
    ['is that of a peer that is not trusted', '192.0.2.9', '192.0.2.7', '192.0.2.9'],
    ['is that of a peer outside the network', '11.0.0.1', '192.0.2.7', '11.0.0.1', '10.0.0.0/8'],
    ['is in the header of a peer within the network', '192.0.2.7', '192.0.2.7', '10.255.0.1', '10.0.0.0/8'],
    ['is that of the peer if no proxy is trusted', '127.0.0.1', '192.0.2.7', LOCAL, 'none'],
  ])('%s', (_what, address, header, peer = LOCAL, setting = '') => {
    expect(find(setting, peer, header).address).toBe(address);
  });

  test('is unknown without a connection', () => {
    expect(find('', undefined, '192.0.2.7').address).toBeUndefined();
  });

  test('logs once that the header of an unknown peer is ignored, but not with `none`', () => {
    const warnings: object[] = [];
    const findClientAddress = trustProxies(['127.0.0.1'], (level, message, details) =>
      warnings.push({ level, message, ...details }),
    );
    findClientAddress('10.0.0.1', undefined);
    findClientAddress('127.0.0.1', '192.0.2.7');
    expect(warnings).toEqual([]);
    for (const peer of ['10.0.0.1', '10.0.0.2']) findClientAddress(peer, '192.0.2.7');
    const message = 'X-Forwarded-For ignored: if this peer is your proxy, set TRUSTED_PROXIES';
    expect(warnings).toEqual([{ level: 'warn', message, peer: '10.0.0.1' }]);
    expect(find('none', '10.0.0.1', '192.0.2.7').warnings).toEqual([]);
  });
});

const INIT = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': '1.1.1.1, 192.0.2.7' },
  body: '{"query":"{ __typename }"}',
};

test.each([
  ['in our server behind a trusted proxy', {}, '192.0.2.7'],
  ['in our server without trusted proxies', { trustedProxies: [] }, '127.0.0.1'],
])('limits of unknown callers count by client address: %s', async (_how, options, address) => {
  const { addresses, plugin } = useAddresses();
  const { url } = await freshGateway({ gateway: { plugins: [plugin], ...options } });
  await fetch(url, INIT);
  expect(addresses).toEqual([address]);
});

test('another server can pass the client address', async () => {
  const { addresses, plugin } = useAddresses();
  const { gateway, close } = await startLibrary({
    plugins: [plugin],
    trustedProxies: [],
    clientAddress: ({ request }: { request: { ip: string } }) => request.ip,
  });
  onTestFinished(close);
  const app = fastify({ forceCloseConnections: true, trustProxy: '127.0.0.1' });
  onTestFinished(() => app.close());
  app.post('/graphql', (request, reply) => {
    const context: object = { request, reply };
    return gateway.handleNodeRequestAndResponse(request, reply, context);
  });
  await fetch(`${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`, INIT);
  expect(addresses).toEqual(['192.0.2.7']);
});

test('without `clientAddress`, the address comes from the Node request if there is one', async () => {
  const { addresses, plugin } = useAddresses();
  const { gateway, close } = await startLibrary({ plugins: [plugin] });
  onTestFinished(close);
  await fetch(`http://127.0.0.1:${await startNode(gateway)}/graphql`, INIT);
  await gateway.fetch('http://localhost/graphql', INIT);
  expect(addresses).toEqual(['192.0.2.7', undefined]);
});
