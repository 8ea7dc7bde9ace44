import { describe, expect, test } from 'vitest';
import { readConfig, readDoctorConfig } from '../../src/config/index.ts';
import { getVariables, type Setting } from '../../src/config/setting.ts';
import { REMOVED_SETTINGS, SETTINGS } from '../../src/config/settings.ts';
import { RESOURCES } from '../../src/schema/index.ts';
import { faultsOf } from './support.ts';

/** The shortest allowed secret. */
const SECRET = 'x'.repeat(32);

const faultsIn = (env: Record<string, string>) => faultsOf(() => readConfig(env, RESOURCES));

describe('readConfig', () => {
  // The defaults are those of docs/settings.md, which test/docs compares.
  test('needs no setting', () => {
    expect(readConfig({}, RESOURCES)).toMatchObject({ port: 4000, host: '127.0.0.1', corsOrigins: [] });
    expect(readConfig({}, RESOURCES)).not.toHaveProperty('restUrl');
  });

  test('reads every setting', () => {
    const rows: [name: string, text: string, member: string, value: unknown][] = [
      ['PORT', '0', 'port', 0],
      ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
      ['REST_URL', 'https://rest.example/base/', 'restUrl', new URL('https://rest.example/base/')],
      ['EMBEDDED_CHANGES_MS', '0', 'embeddedChangesMs', 0],
      ['REST_CLIENT_ID', 'id', 'application', { clientId: 'id', clientSecret: 'secret' }],
      ['REST_CLIENT_SECRET', 'secret', 'application', { clientId: 'id', clientSecret: 'secret' }],
      ['REST_PARAMETER_NAMES', '{"debtors":{"ids":"x"}}', 'parameterNames', { debtors: { ids: 'x' } }],
      ['REST_TIMEOUT_MS', '1000', 'restTimeoutMs', 1000],
      ['REQUEST_TIMEOUT_MS', '2000', 'requestTimeoutMs', 2000],
      ['CACHE_TTL_MS', '0', 'cacheTtlMs', 0],
      ['MAX_CALLS', '5', 'maxCalls', 5],
      ['MAX_FIRST', '700', 'maxFirst', 700],
      ['ORDER_LOCALE', 'sv', 'orderLocale', 'sv'],
      ['MAX_BATCH', '0', 'maxBatch', 0],
      ['MAX_EXPORTS', '2', 'maxExports', 2],
      ['EXPORT_TIMEOUT_MS', '9000', 'exportTimeoutMs', 9000],
      ['MAX_SUBSCRIPTIONS', '7', 'maxSubscriptions', 7],
      ['CHANGES_POLL_MS', '700', 'changesPollMs', 700],
      ['CHANGES_LOOKBACK_MS', '0', 'changesLookbackMs', 0],
      ['MAX_VALUES', '50000', 'maxValues', 50_000],
      ['MAX_ANSWER_BYTES', '1000000', 'maxAnswerBytes', 1_000_000],
      ['MAX_OPERATIONS', '3', 'maxOperations', 3],
      ['COMPRESSION', 'off', 'compress', false],
      ['CORS_ORIGINS', 'https://a.example, http://b:3', 'corsOrigins', ['https://a.example', 'http://b:3']],
      ['HTTPS_PROXY', 'http://u:p%40@proxy:1', 'httpsProxy', new URL('http://u:p%40@proxy:1')],
      ['HTTP_PROXY', 'https://proxy/', 'httpProxy', new URL('https://proxy')],
      ['NO_PROXY', '.example, 10.0.0.0/8', 'noProxy', '.example, 10.0.0.0/8'],
      ['TRUSTED_PROXIES', '10.0.0.0/8, ::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
      ['DRAIN_DELAY_MS', '5000', 'drainDelayMs', 5000],
      ['SHUTDOWN_GRACE_MS', '0', 'graceMs', 0],
      ['ADMIN_PORT', '9090', 'adminPort', 9090],
      ['CREDENTIAL_CALLS_PER_MINUTE', '600', 'credentialCallsPerMinute', 600],
      ['REDIS_URL', 'rediss://u:p@r:1/1', 'sharing', { redisUrl: 'rediss://u:p@r:1/1', secret: SECRET }],
      ['SHARING_SECRET', SECRET, 'sharing', { redisUrl: 'rediss://u:p@r:1/1', secret: SECRET }],
      ['LOG', 'off', 'logLevel', 'off'],
      ['LOG_FORMAT', 'pretty', 'logFormat', 'pretty'],
      ['METRICS', 'off', 'metrics', false],
    ];
    const env = Object.fromEntries(rows.map(([name, text]) => [name, text]));
    const expected = Object.fromEntries(rows.map(([, , member, value]) => [member, value]));
    expect(readConfig(env, RESOURCES)).toEqual(expected);
  });

  test('reads every variable that SETTINGS lists, and no other', () => {
    const read = new Set<string>();
    const env = new Proxy({}, { get: (_env, name) => void read.add(String(name)) });
    readDoctorConfig(env, []);
    const settings = Object.values<Setting<unknown>>(SETTINGS);
    const names = settings.flatMap(getVariables);
    // NODE_ENV is Node's own, and decides whether REST_URL has to be set.
    const all = [...names, ...Object.keys(REMOVED_SETTINGS), 'NODE_ENV'];
    expect([...read].toSorted()).toEqual(all.toSorted());
  });

  test('treats an empty value as not set', () => {
    const empty = Object.values(SETTINGS).map(({ name }) => [name, '']);
    expect(readConfig(Object.fromEntries(empty), [])).toEqual(readConfig({}, []));
  });

  test('also reads proxies in lower case, which override those in upper case', () => {
    const env = { HTTPS_PROXY: 'http://upper', https_proxy: 'http://lower', no_proxy: 'x' };
    const config = { httpsProxy: new URL('http://lower'), noProxy: 'x' };
    expect(readConfig(env, [])).toMatchObject(config);
    expect(readConfig({ ...env, https_proxy: '' }, []).httpsProxy).toEqual(new URL('http://upper'));
  });

  test('logs for people at a terminal, and JSON otherwise', () => {
    const logOf = (env: Record<string, string>, isTerminal: boolean) => {
      const { logLevel, logFormat } = readConfig(env, [], { isTerminal });
      return [logLevel, logFormat];
    };
    expect(logOf({}, true)).toEqual(['errors', 'pretty']);
    expect(logOf({}, false)).toEqual(['operations', 'json']);
    expect(logOf({ LOG: 'operations', LOG_FORMAT: 'json' }, true)).toEqual(['operations', 'json']);
  });

  test('accepts port 0 twice, and a Redis password that is percent-encoded', () => {
    expect(readConfig({ ADMIN_PORT: '0', PORT: '0' }, [])).toMatchObject({ adminPort: 0, port: 0 });
    const REDIS_URL = 'redis://:p%2Fw@[::1]:6379/';
    expect(readConfig({ REDIS_URL, SHARING_SECRET: SECRET }, [])).toHaveProperty('sharing');
  });

  const NEW_SECRET = 'make one with `openssl rand -base64 32`';
  test.each([
    [{ ADMIN_PORT: '4000' }, 'ADMIN_PORT and PORT are the same: change one.'],
    [{ MAX_OBJECTS: '5' }, 'MAX_OBJECTS is no longer a setting: set MAX_VALUES, which counts all values.'],
    [{ ADMIN_PORT: 'x' }, 'ADMIN_PORT takes a whole number from 0 to 65535, not "x".'],
    [{ DRAIN_DELAY_MS: '600001' }, 'DRAIN_DELAY_MS takes a whole number from 0 to 600000, not "600001".'],
    [{ WORKERS: 'auto' }, `WORKERS is no longer a setting: ${REMOVED_SETTINGS.WORKERS}.`],
    [{ LOG: 'all' }, 'LOG takes off, errors or operations, not "all".'],
    ...[
      ['10.0.0.0/33', 'number 1 is invalid'],
      ['loopback 10.0.0.0/0', 'number 2 is invalid'],
      ['::/129', 'number 1 is invalid'],
      ['fe80::1%eth0', 'number 1 is invalid'],
      ['nginx', 'number 1 is invalid'],
      ['10.0.0.1:80', 'number 1 is invalid'],
      ['none 10.0.0.1', 'none cannot be combined'],
    ].map(([TRUSTED_PROXIES = '', problem]): [Record<string, string>, string] => [
      { TRUSTED_PROXIES },
      `TRUSTED_PROXIES takes addresses, networks such as 10.0.0.0/8, loopback and private; or none: ${problem}.`,
    ]),
    [{ LOG_FORMAT: 'text' }, 'LOG_FORMAT takes json or pretty, not "text".'],
    [
      { REDIS_URL: 'redis://localhost' },
      `REDIS_URL is set without SHARING_SECRET: ${NEW_SECRET}, the same for all replicas.`,
    ],
    [{ SHARING_SECRET: SECRET }, 'SHARING_SECRET is set without REDIS_URL: set both or neither.'],
    [
      { REDIS_URL: 'redis://localhost', SHARING_SECRET: SECRET.slice(1) },
      `SHARING_SECRET takes at least 32 characters: ${NEW_SECRET}.`,
    ],
    [
      { REST_CLIENT_ID: 'a:b', REST_CLIENT_SECRET: 'secret' },
      'REST_CLIENT_ID must not contain a colon, which ends it in a Basic credential.',
    ],
  ])('rejects %j', (env, fault) => {
    expect(faultsIn(env)).toEqual([fault]);
  });

  test('reports every error at once', () => {
    const faults = faultsIn({
      PORT: '70000',
      REST_URL: 'rest.example',
      REST_CLIENT_ID: 'id',
      REST_PARAMETER_NAMES: '{"invoices":{},"debtors":{"nonsense":"x"}}',
      REST_TIMEOUT_MS: '-1',
      COMPRESSION: 'gzip',
      CORS_ORIGINS: '* https://*.example.com',
    });
    expect(faults).toEqual([
      'PORT takes a whole number from 0 to 65535, not "70000".',
      'REST_URL takes an address that starts with https:// or http://, without user, password, query, fragment and /v1; or embedded.',
      'REST_TIMEOUT_MS takes a whole number from 1 to 600000, not "-1".',
      'COMPRESSION takes on or off, not "gzip".',
      'CORS_ORIGINS takes origins such as https://app.example, each in full, without wildcards, a path or a slash at the end: number 1 is invalid.',
      expect.stringContaining('REST_PARAMETER_NAMES: "invoices" is not a list; there are debtors,'),
      expect.stringContaining(
        'REST_PARAMETER_NAMES: "debtors" has no argument "nonsense"; it has administrationId,',
      ),
      'Only one of REST_CLIENT_ID and REST_CLIENT_SECRET is set: set both.',
    ]);
  });

  test.each([
    ['not JSON', '{', 'takes a JSON object'],
    ['not an object', '[]', 'takes a JSON object'],
    ['without an object inside', '{"debtors":"ids"}', '"debtors" takes an object'],
    ['not a name', '{"debtors":{"ids":""}}', '"debtors" takes for "ids" a name'],
    ['a name that is not a string', '{"debtors":{"ids":1}}', '"debtors" takes for "ids" a name'],
    ['a name that would change the URL', '{"debtors":{"ids":"a&b"}}', '"debtors" takes for "ids" a name'],
  ])('rejects parameter names that are %s', (_what, text, fault) => {
    expect(faultsIn({ REST_PARAMETER_NAMES: text })).toEqual([expect.stringContaining(fault)]);
  });

  test('lets two arguments swap their parameter names', () => {
    const names = { deletedPayments: { deletedAfter: 'deleted_before', deletedBefore: 'deleted_after' } };
    const config = readConfig({ REST_PARAMETER_NAMES: JSON.stringify(names) }, RESOURCES);
    expect(config.parameterNames).toEqual(names);
  });

  test.each([
    'https://user:password@rest.example',
    'https://rest.example?x=1',
    'ftp://rest.example',
    'https://rest.example/v1',
    'https://rest.example/base/v1/',
  ])('rejects the address %s without repeating it', (address) => {
    const [fault, ...more] = faultsIn({ REST_URL: address });
    expect(fault).toMatch(/^REST_URL takes/);
    expect(fault).not.toContain('example');
    expect(more).toEqual([]);
  });
});
