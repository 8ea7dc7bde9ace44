import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { makeFolder } from '../support/resources.ts';
import { run, runProcess } from './support.ts';

const CANARY = 'canary-canary-canary-canary-canary';
const folder = makeFolder(afterAll);

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const secretFile = file('secret', `${CANARY}\n`);
const envFile = file('settings.env', `PORT=5100\nMAX_CALLS=5\nSHARING_SECRET=${CANARY}\n`);
const ENV = {
  MAX_CALLS: '6',
  REST_TIMEOUT: CANARY,
  REST_CLIENT_ID: CANARY,
  REST_CLIENT_SECRET_FILE: secretFile,
  REDIS_URL: `redis://${CANARY}:${CANARY}@redis.example/1`,
  DOCTOR_TOKEN: `${CANARY}\n`,
  https_proxy: `http://${CANARY}:${CANARY}@proxy.example:3128`,
};

describe('config', () => {
  test('prints each setting with its value and source in columns, and no secret', async () => {
    // Start a process, which has its settings from its own environment.
    const { status, output, errors } = await runProcess(['config', '--env-file', envFile], ENV);
    expect(status).toBe(0);
    const rows = output.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ['PORT', '5100', `--env-file ${envFile}`],
        ['HOST', '127.0.0.1', 'default'],
        ['ADMIN_PORT', '–', 'default'],
        ['MAX_CALLS', '6', 'environment'],
        ['REST_CLIENT_ID', '***', 'environment'],
        ['REST_CLIENT_SECRET', '***', `REST_CLIENT_SECRET_FILE=${secretFile}`],
        ['REDIS_URL', 'redis://***@redis.example/1', 'environment'],
        ['HTTPS_PROXY', 'http://***@proxy.example:3128', 'environment'],
        ['SHARING_SECRET', '***', `--env-file ${envFile}`],
        ['DOCTOR_TOKEN', '***', 'environment'],
        ['LOG', 'operations', 'default'],
      ]),
    );
    expect(rows).toHaveLength(Object.keys(SETTINGS).length);
    expect(new Set(rows.map((row) => /^\S+ +\S+ +/.exec(row)?.[0].length)).size).toBe(1);
    expect(errors).toBe('REST_TIMEOUT is not a setting; did you mean REST_TIMEOUT_MS?\n');
    expect(output).not.toContain('canary');
  });

  test('prints the same errors as serve, and variables that look like settings', async () => {
    const documents = file('documents.json', JSON.stringify({ hash: '{ nothing }' }));
    const faulty = { PORT: CANARY, REST_URL: `https://:${CANARY}@x`, SHARING_SECRET: CANARY, HOSTS: CANARY };
    const { status, output, errors } = await run(['config'], faulty);
    const served = await run(['serve'], faulty);
    expect({ status, output }).toEqual({ status: 1, output: '' });
    expect(errors).toBe(`${served.errors}HOSTS is not a setting; did you mean HOST?\n`);
    expect(errors).not.toContain('canary');
    const invalid = await run(['config'], { TRUSTED_DOCUMENTS: documents });
    expect(invalid).toMatchObject({ status: 1, errors: expect.stringContaining('the document hash: ') });
  });
});

test('a later --env-file overrides an earlier one, and the environment overrides all', async () => {
  onTestFinished(() => void delete process.env.OTEL_TEST_NAME);
  const first = file('first.env', 'PORT=1\nHOST=first\nMAX_CALLS=1\n');
  const second = file(
    'second.env',
    "# later\nHOST='127.0.0.2'\nREST_URL=embedded\nOTEL_TEST_NAME=test\nBOGUS=1\n",
  );
  const args = ['config', '--json', '--env-file', first, '--env-file', second];
  const { output, errors } = await run(args, {
    PORT: '2',
    PATH: '/bin',
    SHARING_SECRET: CANARY,
    REDIS_URL: 'redis://x',
    MAX_CALLS: '',
  });
  expect(JSON.parse(output)).toMatchObject({
    PORT: { value: '2', source: 'environment' },
    HOST: { value: '127.0.0.2', source: `--env-file ${second}` },
    SHARING_SECRET: { value: '***', source: 'environment' },
    MAX_CALLS: { value: '1', source: `--env-file ${first}` },
  });
  // A file has only settings, and what others read, which alone gets into the environment of the process.
  expect(errors).toBe(`BOGUS in ${second} is not a setting.\n`);
  expect([process.env.OTEL_TEST_NAME, process.env.MAX_CALLS]).toEqual(['test', undefined]);
});

test('config names misspelled settings, but no variables of other programs', async () => {
  const misspelt = {
    REST_TIMEOUT: 'REST_TIMEOUT_MS',
    LOG_LEVEL: 'LOG',
    port: 'PORT',
    CORS_ORIGIN: 'CORS_ORIGINS',
    TRUSTED_PROXY: 'TRUSTED_PROXIES',
    REST_CLIENT_SECRET_FIL: 'REST_CLIENT_SECRET_FILE',
  };
  const others = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'PWD', 'USER', 'LOGNAME', 'TERM', 'SHELL', 'TZ', '_'];
  const nodes = ['NODE_OPTIONS', 'NO_COLOR', 'OTEL_SERVICE_NAME', 'KUBERNETES_PORT'];
  const given = [...others, ...nodes, ...Object.keys(misspelt)].map((name) => [name, 'a value']);
  const { errors } = await run(['config'], Object.fromEntries(given));
  const hints = Object.entries(misspelt).map(
    ([name, meant]) => `${name} is not a setting; did you mean ${meant}?\n`,
  );
  expect(errors).toBe(hints.join(''));
});

test.each([
  ['serve', { NODE_ENV: 'production', PORT: '0' }],
  [`serve --env-file ${file('production.env', 'NODE_ENV=production\n')}`, { PORT: '0' }],
  ['config', { NODE_ENV: 'production' }],
  ['doctor', { NODE_ENV: 'production', NO_COLOR: '1' }],
])('%s in production without REST_URL says what to set and ends with status 1', async (line, env) => {
  const { status, output, errors } = await run(line.split(' '), env);
  expect(status).toBe(1);
  expect(`${output}${errors}`.replace(/\s+/g, ' ')).toContain(
    'REST_URL is not set, but NODE_ENV is production: set REST_URL to the address of the REST service',
  );
});

test('--env-file gives serve its settings, and a missing file ends the command with its name', async () => {
  const path = file('faulty.env', 'PORT=x\nDRAIN_DELAY_MS=y');
  const { status, errors } = await run(['--env-file', path], { DRAIN_DELAY_MS: '0' });
  expect(status).toBe(1);
  expect(errors).toContain('PORT takes');
  expect(errors).not.toContain('DRAIN_DELAY_MS');
  const marked = file('marked.env', '\uFEFFPORT=5101\r\n\r\n# none\r\nREST_CLIENT_ID="two\nlines"\n');
  expect((await run(['config', '--env-file', marked])).errors).not.toContain('PORT');
  const broken = file('broken.env', 'ORDER_LOCALE="a\nb"\n# none\nMAX_CALLS\nPORT=5102\n');
  expect(await run(['config', '--env-file', broken])).toMatchObject({
    status: 2,
    errors: `Line 4 of '${broken}' is not NAME=value; see receivables-graphql config --help.\n`,
  });
  // Node 20 to 24 look for the option after the script too, and a process ends before the script begins.
  expect(await run(['config', '--env-file', 'missing.env'])).toEqual({
    status: 2,
    output: '',
    errors: "The file 'missing.env' of --env-file cannot be read; see receivables-graphql config --help.\n",
  });
});
