import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startProcess } from '../support/processes.ts';
import { run } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'rest-service-'));
afterAll(() => rmSync(folder, { recursive: true }));
const envFile = join(folder, 'production.env');
writeFileSync(envFile, 'NODE_ENV=production\n');

const FAULT =
  'REST_URL is not set, but NODE_ENV is production: set REST_URL to the address of the REST service';

test.each([
  ['serve', { NODE_ENV: 'production', PORT: '0' }],
  [`serve --env-file ${envFile}`, { PORT: '0' }],
  ['config', { NODE_ENV: 'production' }],
  ['doctor', { NODE_ENV: 'production', NO_COLOR: '1' }],
])('in production without REST_URL, %s says what to set, and ends with status 1', async (line, env) => {
  const { status, output, errors } = await run(line.split(' '), env);
  expect(status).toBe(1);
  expect(`${output}${errors}`.replace(/\s+/g, ' ')).toContain(FAULT);
});

// A process, for the lines that it writes as it starts.
test.each(['json', 'pretty'])(
  '/ready says that a service stands behind, and the log which (%s)',
  async (format) => {
    const REST_URL = 'http://127.0.0.1:9/base';
    const env = { REST_URL, NODE_ENV: 'production', LOG: 'errors', LOG_FORMAT: format, NO_COLOR: '1' };
    const { url, output } = await startProcess(env);
    const readiness = await (await fetch(new URL('/ready', url))).json();
    expect(readiness).toEqual({ status: 'ready', restService: 'REST_URL' });
    const [address, errorType] =
      format === 'json'
        ? [`"service":"${REST_URL}"`, '"errorType":"connection_refused"']
        : [`service=${REST_URL}`, 'errorType=connection_refused'];
    await eventually(() => {
      expect(output()).toContain('REST service cannot be reached: check REST_URL');
      expect(output()).toContain(address);
      expect(output()).toContain(errorType);
    });
  },
);
