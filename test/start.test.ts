import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** The process as `npm start` runs it; the output gathers what it prints. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, ...env } });
  started.push(child);
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.errors += chunk;
  });
  return { child, output, exit: once(child, 'exit') };
}

async function startAndWait(env: Record<string, string> = {}) {
  const running = start({ PORT: '0', ...env });
  while (!running.output.text.includes('is ready at')) await once(running.child.stdout, 'data');
  const [, url = ''] = /is ready at (\S+)/.exec(running.output.text) ?? [];
  return { ...running, url };
}

describe('npm start', () => {
  test('prints the address, the credentials and a curl line that works', async () => {
    const { output, url } = await startAndWait();
    expect(output.text).toContain('demo-token-company-a');
    expect(output.text).toContain('demo-application : demo-application-secret');
    const [, body = ''] = /-d '(.*)'/.exec(output.text) ?? [];
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-token-company-a' };
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ data: { debtors: { nodes: { length: 3 } } } });
  });

  test('serves GraphiQL, health and readiness', async () => {
    const { url } = await startAndWait();
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('demo-token-company-a');
    expect(await (await fetch(new URL('/health', url))).text()).toBe('ok\n');
    expect(await (await fetch(new URL('/ready', url))).text()).toBe('ready\n');
  });

  test('with a REST_URL shows no demo credential, but says what to put', async () => {
    const { output, url } = await startAndWait({ REST_URL: 'http://127.0.0.1:9' });
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('<your access token>'.replace('<', '\\u003c'));
    expect(`${output.text}${page}`).not.toContain('demo-token');
  });

  test('ends with status 0 on SIGTERM', async () => {
    const { child, exit } = await startAndWait();
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  test('says every fault of a bad configuration, and ends with status 1', async () => {
    const { output, exit } = start({ PORT: 'x', REST_PARAMETER_NAMES: '{"a":{}}' });
    expect(await exit).toEqual([1, null]);
    expect(output.errors).toContain('PORT takes');
    expect(output.errors).toContain('"a" is not a list');
    expect(output.errors).not.toContain('at ');
  });

  test('says in one line that its port is taken', async () => {
    const { url } = await startAndWait();
    const { output, exit } = start({ PORT: new URL(url).port });
    expect(await exit).toEqual([1, null]);
    expect(output.errors.trim().split('\n')).toEqual([expect.stringContaining('EADDRINUSE')]);
  });
});
