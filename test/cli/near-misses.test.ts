import { expect, test } from 'vitest';
import { nearMisses } from '../../src/cli/environment.ts';
import type { Environment } from '../../src/config/index.ts';
import { SETTINGS } from '../../src/config/settings.ts';

const real = (env: Environment) => ({ env, files: new Map<string, string>() });

test.each([
  ['REST_TIMEOUT', 'REST_TIMEOUT_MS'],
  ['CACHE_TTL', 'CACHE_TTL_MS'],
  ['LOG_LEVEL', 'LOG'],
  ['LOGFORMAT', 'LOG_FORMAT'],
  ['port', 'PORT'],
  ['MAX_CALL', 'MAX_CALLS'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['REDIS', 'REDIS_URL'],
  ['REST_CLIENT_SECRET_FIL', 'REST_CLIENT_SECRET_FILE'],
  ['PORT_FILE', 'PORT'],
])('%s is taken for %s', (name, setting) => {
  expect(nearMisses(real({ [name]: 'a value' }))).toEqual([
    `${name} is not a setting; did you mean ${setting}?`,
  ]);
});

test('what other programs use is not taken for a setting', () => {
  const names = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'PWD', 'USER', 'LOGNAME', 'TERM', 'SHELL', 'NODE_ENV'];
  names.push(
    'NODE_OPTIONS',
    'NO_COLOR',
    'OTEL_SERVICE_NAME',
    'KUBERNETES_PORT',
    'REDIS_SERVICE_HOST',
    'TZ',
    '_',
  );
  expect(nearMisses(real(Object.fromEntries(names.map((name) => [name, 'x']))))).toEqual([]);
});

test('a setting is not taken for another, nor is the file of a secret', () => {
  const names = Object.values(SETTINGS).map(({ name }) => name);
  expect(
    nearMisses(real(Object.fromEntries([...names, 'DOCTOR_TOKEN_FILE'].map((name) => [name, 'x'])))),
  ).toEqual([]);
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
  const env = Object.fromEntries(names.map((name) => [name, 'x']));
  const files = new Map(names.map((name) => [name, 'gateway.env']));
  expect(nearMisses({ env: { ...env, PATH: 'x' }, files })).toEqual([
    'BOGUS in gateway.env is not a setting.',
  ]);
});
