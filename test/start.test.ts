import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGreeting, logStartup } from '../src/cli/greeting.ts';
import { listenProblem } from '../src/cli/serve.ts';
import { readConfig } from '../src/config/index.ts';
import type { Log } from '../src/telemetry/log.ts';
import { postTo } from './support/gateway.ts';
import { debtors } from './support/operations.ts';
import { spawnGateway, startProcess } from './support/processes.ts';
import { serveBuilt } from './support/serve.ts';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const readiness = async (url: string) => (await fetch(new URL('/ready', url))).json();

/** The gateway in this process, until the test is over. */
async function start(env: Record<string, string>) {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []);
  const running = await serveBuilt(config);
  onTestFinished(() => running.stop());
  const greeting = createGreeting(running.url, config);
  return { ...running, greeting, url: running.url.replace('localhost', '127.0.0.1') };
}

describe('npm start', () => {
  test('prints address, credentials and a working curl line, serves pages, and ends on SIGTERM', async () => {
    // Start the same process as npm, as the README does.
    const [node, ...script] = scripts.start.split(' ');
    expect(node).toBe('node');
    const { child, output, url, exit } = await startProcess({}, { script });
    expect(output()).toContain('demo-token-company-a');
    expect(output()).toContain('demo-application : demo-application-secret');
    const [, body = ''] = /-d '(.*)'/.exec(output()) ?? [];
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-token-company-a' };
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ data: { debtors: { nodes: { length: 3 } } } });

    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('demo-token-company-a');
    expect(await (await fetch(new URL('/health', url))).text()).toBe('ok\n');
    expect(await readiness(url)).toEqual({ status: 'ready', restService: 'embedded' });

    const { port } = new URL(url);
    // A process, which has to end though its embedded service runs.
    const second = spawnGateway({ PORT: port });
    expect(await second.exit).toEqual([1, null]);
    expect(second.errors()).toBe(
      `Port ${port} is already in use (EADDRINUSE). Set PORT or ADMIN_PORT to another port.\n`,
    );

    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  test('gives GraphiQL no demo credentials or records if REST_URL is set', async () => {
    const { greeting, url } = await start({ REST_URL: 'http://127.0.0.1:9' });
    expect(await readiness(url)).toEqual({ status: 'ready', restService: 'REST_URL' });
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('"credentials":{"token":"","clientId":"","clientSecret":""}');
    // The port may be 41001.
    const shown = `${greeting}${page}`.replaceAll(new URL(url).port, '');
    expect(shown).not.toMatch(/demo-|1001|D10000|400001|500028/);
  });

  test('serves the same data if Node does not allow generated code', async () => {
    const query =
      '{ debtors(administrationId: "1001", first: 60) { nodes { id name bookOpenAmount postalAddress { city } labels { name } } } }';
    const dataOf = async ({ url }: { readonly url: string }) => {
      const { data, errors } = await (await postTo(url, query)).json();
      expect(errors).toBeUndefined();
      return data;
    };
    // A process, since it is a flag of Node.
    const flags = ['--disallow-code-generation-from-strings'];
    const restricted = await startProcess({}, { flags });
    const data = await dataOf(restricted);
    expect(data.debtors.nodes).toHaveLength(60);
    expect(data).toEqual(await dataOf(await start({ EMBEDDED_CHANGES_MS: '0', LOG: 'off' })));
  });

  test('reports in one line that HOST is not an address of this machine', async () => {
    const failed = await start({ HOST: '198.51.100.1', REST_URL: 'http://127.0.0.1:9' }).catch(
      (error) => error,
    );
    expect(listenProblem(failed)).toMatch(/ 198\.51\.100\.1.*. Check HOST and PORT\.$/);
  });

  test('prints the proxy of REST calls without its password, but none for the embedded service', async () => {
    const proxies = { http_proxy: 'http://user:canary@127.0.0.1:9' };
    const { greeting } = await start({ REST_URL: 'http://rest.example', ...proxies });
    expect(greeting).toContain('at http://rest.example/ through the proxy http://127.0.0.1:9\n');
    const embedded = await start({ REST_URL: 'embedded', ...proxies });
    expect(embedded.greeting).not.toContain('127.0.0.1:9');
    const response = await postTo(embedded.url, debtors());
    expect(await response.json()).toMatchObject({ data: { debtors: { nodes: { length: 3 } } } });
  });

  test('logs the proxy as JSON, and that it is unreachable', async () => {
    const lines: unknown[] = [];
    const log: Log = (_level, message, details) => void lines.push({ message, ...details });
    const proxies = { HTTPS_PROXY: 'http://user:canary@127.0.0.1:9' };
    const config = readConfig({ REST_URL: 'https://rest.example', LOG_FORMAT: 'json', ...proxies }, []);
    await logStartup({ url: 'http://localhost:4000/graphql', log }, config, {});
    expect(lines).toMatchObject([
      { service: 'https://rest.example/', proxy: 'http://127.0.0.1:9' },
      {
        message: 'REST service cannot be reached: check HTTPS_PROXY',
        service: 'https://rest.example/',
        errorType: 'proxy_unreachable',
      },
    ]);
  });

  test('prints a usable address for HOST=0.0.0.0', async () => {
    const { greeting, url } = await start({ HOST: '0.0.0.0', REST_URL: 'embedded' });
    expect(greeting).toMatch(/is ready at http:\/\/localhost:\d+\/graphql\n/);
    expect((await fetch(new URL('/ready', url))).status).toBe(200);
  });
});
