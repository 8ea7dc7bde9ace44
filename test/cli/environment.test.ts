import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadEnvironment, nearMisses } from '../../src/cli/environment.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { makeFolder } from './export/support.ts';

function file(content: string): string {
  const path = join(makeFolder(), 'env');
  writeFileSync(path, content);
  return path;
}

test('files of variables add to the environment, which wins; a later one wins over an earlier one', () => {
  onTestFinished(() => void delete process.env.OTEL_TEST_NAME);
  const first = file('PORT=1\nHOST=first\nMAX_CALLS=1\n');
  const second = file("# later\nHOST='second'\nPORT=2\nOTEL_TEST_NAME=test\n");
  const { env, files } = loadEnvironment({ PORT: '', PATH: '/bin' }, [first, second]);
  const added = { HOST: 'second', MAX_CALLS: '1', OTEL_TEST_NAME: 'test' };
  expect(env).toEqual({ PORT: '', PATH: '/bin', ...added });
  expect(Object.fromEntries(files)).toEqual({ HOST: second, MAX_CALLS: first, OTEL_TEST_NAME: second });
  // The environment of the process gets only what others read there.
  expect([process.env.OTEL_TEST_NAME, process.env.MAX_CALLS]).toEqual(['test', undefined]);
});

const missesOf = (names: readonly string[], files = new Map<string, string>()) =>
  nearMisses({ env: Object.fromEntries(names.map((name) => [name, 'a value'])), files });

test.each([
  ['REST_TIMEOUT', 'REST_TIMEOUT_MS'],
  ['LOG_LEVEL', 'LOG'],
  ['port', 'PORT'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['REST_CLIENT_SECRET_FIL', 'REST_CLIENT_SECRET_FILE'],
])('%s is taken for %s', (name, setting) => {
  expect(missesOf([name])).toEqual([`${name} is not a setting; did you mean ${setting}?`]);
});

test('neither a setting nor what other programs use is taken for a setting; a file has only settings', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'PWD', 'USER', 'LOGNAME', 'TERM', 'SHELL', 'TZ', '_'];
  const nodes = ['NODE_ENV', 'NODE_OPTIONS', 'NO_COLOR', 'OTEL_SERVICE_NAME', 'KUBERNETES_PORT'];
  const names = Object.values(SETTINGS).map(({ name }) => name);
  expect(missesOf([...names, 'DOCTOR_TOKEN_FILE', ...others, ...nodes])).toEqual([]);
  const inFile = [
    'BOGUS',
    'PORT',
    'NO_COLOR',
    'NODE_EXTRA_CA_CERTS',
    'OTEL_SERVICE_NAME',
    'DOCTOR_TOKEN_FILE',
  ];
  const files = new Map(inFile.map((name) => [name, 'gateway.env']));
  expect(missesOf([...inFile, 'PATH'], files)).toEqual(['BOGUS in gateway.env is not a setting.']);
});
