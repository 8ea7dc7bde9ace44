import { DEFAULT_FIRST } from '../rest/query.ts';
import {
  anyText,
  choice,
  clientId,
  EMBEDDED,
  jsonObject,
  locale,
  longSecret,
  onOff,
  origins,
  redisAddress,
  restAddress,
  trustedDocuments,
  wholeNumber,
  withoutCredentials,
  workerCount,
} from './parse.ts';
import type { Default, Parse, Setting } from './setting.ts';

function optional<T>(name: string, parse: Parse<T>, help: string): Setting<T | undefined> {
  return { name, parse, help };
}

function secret<T>(name: string, parse: Parse<T>, help: string): Setting<T | undefined> {
  return { name, parse, help, secret: true };
}

function preset<T>(name: string, parse: Parse<T>, value: Default, help: string): Setting<T> {
  return { name, parse, default: value, help };
}

function number(name: string, min: number, max: number, value: number, help: string) {
  return preset(name, wholeNumber(min, max), String(value), help);
}

const HOUR = 3_600_000;

/** Every setting, in the order of the help; a number with its least and most, and its default. */
export const SETTINGS = {
  port: number('PORT', 0, 65_535, 4_000, 'where to listen; 0: any free port'),
  host: preset('HOST', anyText, '127.0.0.1', 'the address to listen on'),
  adminPort: optional('ADMIN_PORT', wholeNumber(0, 65_535), 'extra port for /metrics and probes'),
  restUrl: preset('REST_URL', restAddress, EMBEDDED, 'a REST service; embedded: made-up data'),
  embeddedChangesMs: number('EMBEDDED_CHANGES_MS', 0, HOUR, 3_000, 'how often its data changes; 0: never'),
  clientId: secret('REST_CLIENT_ID', clientId, 'an application, used only for `viewer`,'),
  clientSecret: secret('REST_CLIENT_SECRET', anyText, 'and its secret'),
  parameterNames: preset('REST_PARAMETER_NAMES', jsonObject, '{}', 'names of query parameters (JSON)'),
  restTimeoutMs: number('REST_TIMEOUT_MS', 1, 600_000, 10_000, 'time limit of one REST call'),
  requestTimeoutMs: number('REQUEST_TIMEOUT_MS', 1, 600_000, 30_000, 'time limit of one operation'),
  cacheTtlMs: number('CACHE_TTL_MS', 0, HOUR, 5_000, 'how long records are cached; 0: not'),
  maxCalls: number('MAX_CALLS', 1, 10_000, 50, 'REST calls of one operation, at most'),
  maxFirst: number('MAX_FIRST', DEFAULT_FIRST, 1_000_000, 10_000, 'rows of one list, at most'),
  orderLocale: preset('ORDER_LOCALE', locale, 'nl', 'language whose alphabet sorts text'),
  maxValues: number('MAX_VALUES', 1, 10_000_000, 1_000_000, 'values of one answer, at most'),
  maxAnswerBytes: number('MAX_ANSWER_BYTES', 1_000, 16_000_000, 16_000_000, 'bytes of one answer, at most'),
  maxOperations: number('MAX_OPERATIONS', 1, 100_000, 256, 'operations at the same time'),
  maxBatch: number('MAX_BATCH', 0, 1_000, 10, 'operations of one array; 0: no arrays'),
  maxExports: number('MAX_EXPORTS', 1, 1_000, 4, 'exports (CSV, NDJSON) at the same time'),
  exportTimeoutMs: number('EXPORT_TIMEOUT_MS', 1, 86_400_000, 600_000, 'time limit of one export'),
  maxSubscriptions: number('MAX_SUBSCRIPTIONS', 1, 1_000_000, 500, 'subscriptions at the same time'),
  changesPollMs: number('CHANGES_POLL_MS', 100, HOUR, 5_000, 'how often to poll REST for changes'),
  changesLookbackMs: number('CHANGES_LOOKBACK_MS', 0, 86_400_000, 60_000, 'how late REST may show a change'),
  credentialCallsPerMinute: number('CREDENTIAL_CALLS_PER_MINUTE', 0, 1_000_000, 0, 'each; 0: no limit'),
  compress: preset('COMPRESSION', onOff, 'on', 'compress answers: on or off'),
  corsOrigins: optional('CORS_ORIGINS', origins, 'origins of web pages that may read answers'),
  trustedDocuments: optional('TRUSTED_DOCUMENTS', trustedDocuments, 'file of the only documents to execute'),
  drainDelayMs: number('DRAIN_DELAY_MS', 0, 600_000, 0, 'keep serving this long after SIGTERM'),
  graceMs: number('SHUTDOWN_GRACE_MS', 0, 600_000, 10_000, 'then wait this long for operations'),
  workers: preset('WORKERS', workerCount, '1', 'processes; auto: one for each CPU core'),
  redisUrl: {
    ...secret('REDIS_URL', redisAddress, 'a Redis that replicas share,'),
    show: withoutCredentials,
  },
  sharingSecret: secret('SHARING_SECRET', longSecret, 'and the secret they encrypt with'),
  logLevel: preset(
    'LOG',
    choice('off', 'errors', 'operations'),
    (isTerminal) => (isTerminal ? 'errors' : 'operations'),
    'off, errors (in a terminal) or operations',
  ),
  logFormat: preset(
    'LOG_FORMAT',
    choice('json', 'pretty'),
    (isTerminal) => (isTerminal ? 'pretty' : 'json'),
    'pretty (in a terminal) or json',
  ),
  metrics: preset('METRICS', onOff, 'on', '/metrics: on or off'),
  doctorToken: secret('DOCTOR_TOKEN', anyText, 'bearer token for doctor'),
} satisfies { readonly [member: string]: Setting<unknown> };
