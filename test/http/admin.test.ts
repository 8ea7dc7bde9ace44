import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMetricsPage, createProbes } from '../../src/pages/status.ts';
import { listenAdmin } from '../../src/server/admin.ts';
import { freshGateway } from '../support/gateway.ts';

async function startAdmin() {
  const routes = [createProbes(() => 'ready', 'embedded')];
  const admin = await listenAdmin(routes, 0, '127.0.0.1', () => {});
  onTestFinished(() => admin.close());
  return admin;
}

test('the port of operators answers, and names what it has', async () => {
  const { port } = await startAdmin();
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect(await (await get('/ready')).json()).toEqual({ status: 'ready', restService: 'embedded' });
  const unknown = await get('/graphql');
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('/metrics');
});

test('connections that are silent cannot lock operators out', async () => {
  const { port } = await startAdmin();
  const silent: Socket[] = [];
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  for (let count = 0; count < 300; count += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    if (count % 2 === 0) socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n');
    silent.push(socket);
  }
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

test('metrics are collected once a second, however often they are asked for', async () => {
  let now = 0;
  let collected = 0;
  const collect = () => {
    collected += 1;
    return [];
  };
  const { url } = await freshGateway({ handler: { routes: [createMetricsPage(collect, () => now)] } });
  const ask = () => fetch(new URL('/metrics', url));
  const answers = await Promise.all([ask(), ask(), ask()]);
  now = 999;
  await ask();
  expect([collected, answers.map(({ status }) => status)]).toEqual([1, [200, 200, 200]]);
  now = 1_000;
  await ask();
  expect(collected).toBe(2);
});
