import { expect, test } from 'vitest';
import { nearMisses } from '../../src/cli/near-misses.ts';
import { SETTINGS } from '../../src/config/settings.ts';

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
  expect(nearMisses({ [name]: 'a value' })).toEqual([`${name} is not a setting; did you mean ${setting}?`]);
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
  expect(nearMisses(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('a setting is not taken for another, nor is the file of a secret', () => {
  const names = Object.values(SETTINGS).map(({ name }) => name);
  expect(nearMisses(Object.fromEntries([...names, 'DOCTOR_TOKEN_FILE'].map((name) => [name, 'x'])))).toEqual(
    [],
  );
});
