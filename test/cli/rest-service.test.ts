import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { eventually } from '../support/eventually.ts';
import { startProcess } from '../support/processes.ts';
import { serveBuilt } from '../support/serve.ts';
import { run } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'rest-service-'));
afterAll(() => rmSync(folder, { recursive: true }));
const envFile = join(folder, 'production.env');
writeFileSync(envFile, 'NODE_ENV=production\n');

const FAULT =
  'REST_URL is not set, but NODE_ENV is production: set REST_URL to the address of the REST service';

describe('in production without REST_URL', () => {
  test.each([
    ['serve', ['serve'], { NODE_ENV: 'production', PORT: '0' }],
    ['serve with workers', ['serve'], { NODE_ENV: 'production', PORT: '0', WORKERS: '2' }],
    ['serve with a file of settings', ['serve', '--env-file', envFile], { PORT: '0' }],
    ['config', ['config'], { NODE_ENV: 'production' }],
    ['config with a file of settings', ['config', '--env-file', envFile], {}],
    ['doctor', ['doctor'], { NODE_ENV: 'production', NO_COLOR: '1' }],
  ])('%s says what to set, and ends with status 1', async (_what, args, env) => {
    const { status, output, errors } = await run(args, env);
    expect(status).toBe(1);
    expect(`${output}${errors}`.replace(/\s+/g, ' ')).toContain(FAULT);
  });
});

describe('/ready says what stands behind the gateway, and not where', () => {
  const readiness = async (url: string) => (await fetch(new URL('/ready', url))).json();

  // A process, for the line that it writes as it starts. Those of several workers are in test/cluster/workers.release.test.ts.
  test('the embedded one', async () => {
    const env = { LOG: 'errors', REST_URL: 'embedded', NODE_ENV: 'production', HOST: '0.0.0.0' };
    const { url, output } = await startProcess(env);
    expect(await readiness(url)).toEqual({ status: 'ready', restService: 'embedded' });
    // The line of the start says it too.
    expect(output()).toMatch(/is ready at .*"restService":"embedded"}/);
  });

  test.each(['json', 'pretty'])(
    'that of REST_URL, and the log tells that it cannot be reached (%s)',
    async (format) => {
      const env = {
        REST_URL: 'http://127.0.0.1:9/base',
        NODE_ENV: 'production',
        LOG: 'errors',
        LOG_FORMAT: format,
        NO_COLOR: '1',
      };
      const { url, output } = await startProcess(env);
      expect(await readiness(url)).toEqual({ status: 'ready', restService: 'REST_URL' });
      // The line of the start says it to operators with the address.
      if (format === 'json')
        expect(output()).toMatch(
          /is ready at .*"restService":"REST_URL","service":"http:\/\/127\.0\.0\.1:9\/base"}/,
        );
      const told =
        format === 'json'
          ? ',"service":"http://127.0.0.1:9/base","errorType":"connection_refused"}'
          : ' service=http://127.0.0.1:9/base errorType=connection_refused';
      await eventually(() => {
        expect(output()).toContain('REST service cannot be reached: check REST_URL');
        expect(output()).toContain(told);
      });
    },
  );

  test('on the port of operators too', async () => {
    const config = readConfig({ PORT: '0', ADMIN_PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []);
    const running = await serveBuilt(config);
    onTestFinished(() => running.stop());
    const response = await fetch(`http://127.0.0.1:${running.adminPort}/ready`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ status: 'ready', restService: 'embedded' });
  });
});
