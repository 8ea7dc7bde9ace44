import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { check, configure, startNginx } from '../../bench/restarts/nginx.mjs';
import { restartInTurn } from '../../bench/restarts/rolling-restart.mjs';
import { readDeploy } from '../deploy/support.ts';
import { event, Feed, PARTS, SSE, StreamReader, SUBSCRIPTION, useFeed } from '../streams/support.ts';
import { useAddresses } from '../support/addresses.ts';
import { eventually } from '../support/eventually.ts';
import { freshGateway, postTo, type TestOptions } from '../support/gateway.ts';
import { debtors } from '../support/operations.ts';
import { describeWith, program } from '../support/requirements.ts';
import { times } from '../support/times.ts';

const text = readDeploy('nginx-compose.conf');
const localText = readDeploy('nginx-localhost.conf');

const execute = promisify(execFile);

async function startBehindNginx(gateway: TestOptions['gateway'] = {}, template = text) {
  const started = await freshGateway({ gateway });
  const { port } = new URL(started.url);
  const own = template.replace('127.0.0.1:4000', `127.0.0.1:${port}`);
  const nginx = await startNginx([port, port], { template: own });
  onTestFinished(nginx.stop);
  return { ...started, nginx };
}

describeWith(program('nginx', 'nginx'))('nginx', () => {
  test.each([
    ['for Compose', text],
    ['for Compose, with one replica for each caller', text.replace('# hash ', 'hash ')],
    ['for one process on the same machine', localText],
    ['for several processes on the same machine', localText.replace('# server ', 'server ')],
  ])('accepts the configuration %s', (_how, template) => {
    const { file, remove } = configure('5299', ['5298', '5297'], template);
    onTestFinished(remove);
    expect(check(file)).toEqual({ status: 0, text: expect.stringContaining('test is successful') });
  });

  test.each([
    ['with our file', text],
    // It would keep what comes over HTTP/1.0 until a buffer is full.
    ['with its defaults', text.replace(/^ *(proxy_(?!pass)\w+|keepalive\w*) .*;\n/gm, '')],
  ])('%s forwards each event of a stream, and the disconnect of its client', async (_how, template) => {
    const feeds: Feed[] = [];
    const open = () => {
      const feed = new Feed();
      feeds.push(feed);
      return feed;
    };
    const { nginx } = await startBehindNginx({ plugins: [useFeed(open)] }, template);
    for (const accepted of [SSE, PARTS]) {
      const controller = new AbortController();
      const reader = new StreamReader(await postTo(nginx.url, SUBSCRIPTION, accepted, controller));
      const feed = feeds.at(-1);
      for (const number of [1, 2, 3]) {
        feed?.tell(event(number));
        await reader.until(`e${number}`);
      }
      controller.abort();
      await eventually(() => expect(feed?.returned).toBe(1));
    }
  });

  test.each([
    ['for Compose', text],
    ['for one process on the same machine', localText],
  ])('%s forwards the rejection of 40 bodies that are too long', async (_how, template) => {
    const { nginx } = await startBehindNginx({}, template);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' } as const;
    const body = 'x'.repeat(1_500_000);
    const curl = (...more: string[]) => {
      const args = ['-sS', '-H', 'content-type: application/json', '--data-binary', '@-', ...more, nginx.url];
      const running = execute('curl', args);
      running.child.stdin?.end(body);
      return running.then(({ stdout }) => stdout);
    };
    const uploads = times(8, () => [
      fetch(nginx.url, { ...init, body }).then((response) => response.text()),
      fetch(nginx.url, { ...init, body: new Blob([body]).stream() }).then((response) => response.text()),
      request(nginx.url, { ...init, body }).then((response) => response.body.text()),
      curl(),
      curl('-H', 'transfer-encoding: chunked'),
    ]).flat();
    for (const refusal of await Promise.all(uploads)) expect(refusal).toContain('PAYLOAD_TOO_LARGE');
  });

  test('logs no query string, also if no replica responds', async () => {
    const { nginx, close } = await startBehindNginx();
    await close();
    for (const path of ['/graphql', '/graphql.csv']) {
      const { status } = await fetch(new URL(`${path}?query={private}`, nginx.url));
      expect(status).toBe(502);
      await eventually(() => expect(nginx.logged('access')).toContain(` GET ${path} 502 `));
    }
    expect(nginx.logged('access') + nginx.logged('error')).not.toContain('private');
  });

  test('does not expose metrics', async () => {
    const { nginx } = await startBehindNginx();
    expect((await fetch(new URL('/metrics', nginx.url))).status).toBe(404);
  });

  test('forwards the address that it sees, which a client cannot forge', async () => {
    const { addresses, plugin } = useAddresses();
    const { nginx } = await startBehindNginx({ plugins: [plugin] });
    addresses.length = 0;
    // All of 127.0.0.0/8 is this machine, so this is another client.
    const dispatcher = new Agent({ localAddress: '127.0.0.2' });
    onTestFinished(() => dispatcher.destroy());
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' };
    const body = '{"query":"{ __typename }"}';
    const response = await request(nginx.url, { method: 'POST', headers, body, dispatcher });
    expect(await response.body.json()).toMatchObject({ data: { __typename: 'Query' } });
    expect(addresses).toEqual(['127.0.0.2']);
  });

  test('sends its own errors like the gateway, but for all origins, and does not change others', async () => {
    const template = text.replace('proxy_read_timeout 35s', 'proxy_read_timeout 1s');
    const { nginx, rest, close } = await startBehindNginx({}, template);
    const send = async (path: string, padding: number) => {
      const operation = { query: debtors(), padding: 'x'.repeat(padding) };
      const response = await postTo(new URL(path, nginx.url), operation, { origin: 'https://app.example' });
      const { status, headers } = response;
      const allowed = headers.get('access-control-allow-origin');
      const { errors } = await response.json();
      const { code, requestId } = errors[0].extensions;
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-request-id')).toBe(requestId);
      expect(headers.get('cache-control')).toBe('private, no-store');
      return [status, code, allowed];
    };
    expect(await send('/graphql', 2_200_000)).toEqual([413, 'PAYLOAD_TOO_LARGE', '*']);
    // The gateway refuses it: no other origin may read it.
    expect(await send('/graphql', 600_000)).toEqual([413, 'PAYLOAD_TOO_LARGE', null]);
    rest.misbehave({ kind: 'hang' });
    expect(await send('/graphql', 0)).toEqual([504, 'UPSTREAM_TIMEOUT', '*']);
    await close();
    for (const path of ['/graphql', '/graphql.csv'])
      expect(await send(path, 0)).toEqual([502, 'UPSTREAM_UNAVAILABLE', '*']);
    const asked = {
      origin: 'https://app.example',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = await fetch(nginx.url, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  });

  test('hides restarts of its replicas: no request is lost, wrong or executed twice', async () => {
    const { answered, mutations, ...faults } = await restartInTurn({
      restarts: 2,
      callers: 8,
      latencyMs: 5,
    });
    expect(answered).toBeGreaterThan(8);
    expect(mutations).toBeGreaterThan(0);
    expect(faults).toEqual({
      wrong: [],
      lost: [],
      statuses: [0, 0],
      madeTwice: [],
      neverMade: [],
    });
  });
});
