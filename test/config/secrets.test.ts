import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig, readDoctorConfig } from '../../src/config/index.ts';
import { makeFolder } from '../support/resources.ts';
import { faultsOf } from './support.ts';

const folder = makeFolder(afterAll);

/** Must never be printed. */
const CANARY = 'canary-canary-canary-canary-canary';

function file(content: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, content);
  return path;
}

describe('a secret in a file', () => {
  test.each([
    ['unchanged', 'secret', 'secret'],
    ['without the newline at its end', 'secret\n', 'secret'],
    ['without the newline of Windows', 'secret\r\n', 'secret'],
    ['with everything but one newline at its end', ' secret\n\n', ' secret\n'],
  ])('is read %s', (_how, content, clientSecret) => {
    const config = readConfig({ REST_CLIENT_ID: 'id', REST_CLIENT_SECRET_FILE: file(content) }, []);
    expect(config.application).toEqual({ clientId: 'id', clientSecret });
  });

  test('can be every secret setting', () => {
    const env = {
      REST_CLIENT_ID_FILE: file('id'),
      REST_CLIENT_SECRET_FILE: file('secret'),
      REDIS_URL_FILE: file('redis://:password@localhost'),
      SHARING_SECRET_FILE: file(CANARY),
    };
    expect(readConfig(env, [])).toMatchObject({
      application: { clientId: 'id', clientSecret: 'secret' },
      sharing: { redisUrl: 'redis://:password@localhost', secret: CANARY },
    });
    expect(readDoctorConfig({ DOCTOR_TOKEN_FILE: file('token\n') }, []).token).toBe('token');
  });

  test('cannot be a setting that is not secret', () => {
    expect(readConfig({ PORT_FILE: file('1') }, []).port).toBe(4000);
  });

  const missing = join(folder, 'missing');
  test.each([
    ['missing', missing],
    ['empty', file('\n')],
  ])('is an error if it is %s', (_what, path) => {
    expect(faultsOf(() => readDoctorConfig({ DOCTOR_TOKEN_FILE: path }, []))).toEqual([
      'DOCTOR_TOKEN_FILE takes the path of a file that can be read and is not empty.',
    ]);
  });

  test('is an error if the secret itself is also set', () => {
    expect(
      faultsOf(() => readDoctorConfig({ DOCTOR_TOKEN: CANARY, DOCTOR_TOKEN_FILE: file(CANARY) }, [])),
    ).toEqual(['DOCTOR_TOKEN and DOCTOR_TOKEN_FILE are both set: set one of them.']);
  });

  test('that cannot be read is one error, without another for a missing secret', () => {
    const env = { REST_CLIENT_ID: 'id', REST_CLIENT_SECRET_FILE: missing };
    expect(faultsOf(() => readDoctorConfig(env, []))).toEqual([
      expect.stringMatching(/^REST_CLIENT_SECRET_FILE takes /),
    ]);
  });
});

describe('no configuration error contains', () => {
  const NAMES =
    'PORT REST_URL REST_PARAMETER_NAMES COMPRESSION CORS_ORIGINS TRUSTED_DOCUMENTS LOG REDIS_URL ' +
    'REST_CLIENT_SECRET_FILE DOCTOR_TOKEN_FILE';
  test.each(NAMES.split(' '))('a secret that was set as %s', (name) => {
    for (const secret of [CANARY, `${CANARY}\n`, `Bearer ${CANARY}`, `https://${CANARY}@`]) {
      const faults = faultsOf(() => readDoctorConfig({ [name]: secret }, []));
      expect(faults).not.toEqual([]);
      expect(faults.join()).not.toContain(CANARY);
    }
  });

  test.each([
    ['REST_URL', `https://user:${CANARY}@rest.example`],
    ['REST_URL', `https://rest.example?token=${CANARY}`],
    ['REDIS_URL', `redis://:1/${CANARY}@redis.example`],
    ['REDIS_URL', `redis://redis.example?password=${CANARY}`],
    ['HTTPS_PROXY', `http://user:1/${CANARY}@proxy.example`],
    ['https_proxy', `http://user:1#${CANARY}@proxy.example`],
    ['HTTP_PROXY', `socks5://user:${CANARY}@proxy.example`],
    ['CORS_ORIGINS', `https://user:${CANARY}@app.example`],
    ['REST_CLIENT_ID', `${CANARY}:x`],
    ['SHARING_SECRET', CANARY],
  ])('the secret in %s=%s', (name, value) => {
    const faults = faultsOf(() => readDoctorConfig({ [name]: value }, []));
    expect(faults[0]).toMatch(/ (takes|must not contain|is set without) /);
    expect(faults.join()).not.toContain('canary');
  });
});
