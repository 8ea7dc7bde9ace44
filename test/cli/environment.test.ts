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
  const [first, second] = [
    file('PORT=1\nHOST=first\nMAX_CALLS=1\n'),
    file("# later\nHOST='second'\nPORT=2\n"),
  ];
  const { env, files } = loadEnvironment({ PORT: '', PATH: '/bin' }, [first, second]);
  expect(env).toEqual({ PORT: '', PATH: '/bin', HOST: 'second', MAX_CALLS: '1' });
  expect(Object.fromEntries(files)).toEqual({ HOST: second, MAX_CALLS: first });
});

test('files change the environment of the process only by what others read there', () => {
  const names = ['OTEL_TEST_NAME', 'SHARING_SECRET', 'NODE_TEST_NAME'];
  onTestFinished(() => void delete process.env.OTEL_TEST_NAME);
  const { env } = loadEnvironment({}, [file(names.map((name) => `${name}=value`).join('\n'))]);
  expect(names.map((name) => env[name])).toEqual(['value', 'value', 'value']);
  expect(names.map((name) => process.env[name])).toEqual(['value', undefined, undefined]);
});

const missesOf = (names: readonly string[], files = new Map<string, string>()) =>
  nearMisses({ env: Object.fromEntries(names.map((name) => [name, 'a value'])), files });

test.each([
  ['REST_TIMEOUT', 'REST_TIMEOUT_MS'],
  ['LOG_LEVEL', 'LOG'],
  ['LOGFORMAT', 'LOG_FORMAT'],
  ['port', 'PORT'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['REDIS', 'REDIS_URL'],
  ['REST_CLIENT_SECRET_FIL', 'REST_CLIENT_SECRET_FILE'],
  ['PORT_FILE', 'PORT'],
])('%s is taken for %s', (name, setting) => {
  expect(missesOf([name])).toEqual([`${name} is not a setting; did you mean ${setting}?`]);
});

test('a setting is not taken for another, nor is what other programs use', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'PWD', 'USER', 'LOGNAME', 'TERM', 'SHELL', 'TZ', '_'];
  const nodes = ['NODE_ENV', 'NODE_OPTIONS', 'NO_COLOR', 'OTEL_SERVICE_NAME', 'KUBERNETES_PORT'];
  const names = Object.values(SETTINGS).map(({ name }) => name);
  expect(missesOf([...names, 'DOCTOR_TOKEN_FILE', ...others, ...nodes])).toEqual([]);
});

test('a file for settings has only settings, and what Node and OpenTelemetry read', () => {
  const names = [
    'BOGUS',
    'PORT',
    'NO_COLOR',
    'NODE_EXTRA_CA_CERTS',
    'OTEL_SERVICE_NAME',
    'DOCTOR_TOKEN_FILE',
  ];
  const files = new Map(names.map((name) => [name, 'gateway.env']));
  expect(missesOf([...names, 'PATH'], files)).toEqual(['BOGUS in gateway.env is not a setting.']);
});
