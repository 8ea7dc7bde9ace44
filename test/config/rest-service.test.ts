import { expect, test } from 'vitest';
import { readConfig, readDoctorConfig } from '../../src/config/index.ts';
import { faultsOf } from './support.ts';

const WHAT_TO_SET = 'set REST_URL to the address of the REST service, or to embedded for made-up data.';
const IN_PRODUCTION = [`REST_URL is not set, but NODE_ENV is production: ${WHAT_TO_SET}`];
const FOR_OTHERS = [`REST_URL is not set, but HOST accepts other machines: ${WHAT_TO_SET}`];

test.each<[Record<string, string>, readonly string[]]>([
  [{}, []],
  [{ NODE_ENV: 'production' }, IN_PRODUCTION],
  [{ NODE_ENV: 'production', REST_URL: '' }, IN_PRODUCTION],
  [{ NODE_ENV: 'production', REST_URL: 'embedded' }, []],
  [{ NODE_ENV: 'production', REST_URL: 'https://rest.example' }, []],
  // One fault for each setting.
  [
    { NODE_ENV: 'production', REST_URL: 'Embedded' },
    [
      'REST_URL takes an address that starts with https:// or http://, without user, password, query, fragment and /v1; or embedded.',
    ],
  ],
  [{ HOST: '127.0.0.1' }, []],
  [{ HOST: '::1' }, []],
  [{ HOST: '::ffff:127.0.0.1' }, []],
  [{ HOST: '0.0.0.0' }, FOR_OTHERS],
  [{ HOST: '::' }, FOR_OTHERS],
  [{ HOST: 'gateway.example' }, FOR_OTHERS],
  [{ HOST: '127.0.0.1.example' }, FOR_OTHERS],
  [{ HOST: '0.0.0.0', REST_URL: 'embedded' }, []],
])('a server with %j has the configuration errors %j', (env, faults) => {
  expect(faultsOf(() => readConfig(env, [], { isServer: true }))).toEqual(faults);
  expect(faultsOf(() => readDoctorConfig(env, []))).toEqual(faults);
});

test('REST_URL=embedded gives the same configuration as no REST_URL', () => {
  const env = { REST_URL: 'embedded', NODE_ENV: 'production' };
  expect(readConfig(env, [], { isServer: true })).toEqual(readConfig({}, []));
});

test('a library needs no REST_URL in production', () => {
  expect(readConfig({ NODE_ENV: 'production', HOST: '0.0.0.0' }, []).restUrl).toBeUndefined();
});
