import { DEFAULT_FIRST } from '../rest/query.ts';
import { EMBEDDED, origins, redisAddress, restAddress, withoutCredentials } from './addresses.ts';
import { parameterNames } from './parameter-names.ts';
import { anyText, choice, clientId, locale, longSecret, onOff, wholeNumber, workerCount } from './parse.ts';
import type { Setting } from './setting.ts';
import { trustedDocuments } from './trusted-documents.ts';

/** Every setting, in the order of the help. */
export const SETTINGS = {
  port: {
    name: 'PORT',
    parse: wholeNumber(0, 65_535),
    default: '4000',
    help: 'where to listen; 0: any free port',
  },
  host: { name: 'HOST', parse: anyText, default: '127.0.0.1', help: 'the address to listen on' },
  adminPort: {
    name: 'ADMIN_PORT',
    parse: wholeNumber(0, 65_535),
    help: 'extra port for /metrics, /status and probes',
  },
  restUrl: {
    name: 'REST_URL',
    parse: restAddress,
    default: EMBEDDED,
    help: 'a REST service; embedded: made-up data',
  },
  embeddedChangesMs: {
    name: 'EMBEDDED_CHANGES_MS',
    parse: wholeNumber(0, 3_600_000),
    default: '3000',
    help: 'how often its data changes; 0: never',
  },
  clientId: {
    name: 'REST_CLIENT_ID',
    parse: clientId,
    secret: true,
    help: 'an application, used only for `viewer`,',
  },
  clientSecret: { name: 'REST_CLIENT_SECRET', parse: anyText, secret: true, help: 'and its secret' },
  parameterNames: {
    name: 'REST_PARAMETER_NAMES',
    parse: parameterNames,
    default: '{}',
    help: 'names of query parameters (JSON)',
  },
  restTimeoutMs: {
    name: 'REST_TIMEOUT_MS',
    parse: wholeNumber(1, 600_000),
    default: '10000',
    help: 'time limit of one REST call',
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT_MS',
    parse: wholeNumber(1, 600_000),
    default: '30000',
    help: 'time limit of one operation',
  },
  cacheTtlMs: {
    name: 'CACHE_TTL_MS',
    parse: wholeNumber(0, 3_600_000),
    default: '5000',
    help: 'how long records are cached; 0: not',
  },
  maxCalls: {
    name: 'MAX_CALLS',
    parse: wholeNumber(1, 10_000),
    default: '50',
    help: 'REST calls of one operation, at most',
  },
  maxFirst: {
    name: 'MAX_FIRST',
    parse: wholeNumber(DEFAULT_FIRST, 1_000_000),
    default: '10000',
    help: 'rows of one list, at most',
  },
  orderLocale: {
    name: 'ORDER_LOCALE',
    parse: locale,
    default: 'nl',
    help: 'language whose alphabet sorts text',
  },
  maxObjects: {
    name: 'MAX_OBJECTS',
    parse: wholeNumber(1, 10_000_000),
    default: '100000',
    help: 'objects of one answer, at most',
  },
  maxAnswerBytes: {
    name: 'MAX_ANSWER_BYTES',
    parse: wholeNumber(1_000, 500_000_000),
    default: '32000000',
    help: 'bytes of one answer, at most',
  },
  maxOperations: {
    name: 'MAX_OPERATIONS',
    parse: wholeNumber(1, 100_000),
    default: '256',
    help: 'operations at the same time',
  },
  maxBatch: {
    name: 'MAX_BATCH',
    parse: wholeNumber(0, 1_000),
    default: '10',
    help: 'operations of one array; 0: no arrays',
  },
  maxExports: {
    name: 'MAX_EXPORTS',
    parse: wholeNumber(1, 1_000),
    default: '4',
    help: 'exports (CSV, NDJSON) at the same time',
  },
  exportTimeoutMs: {
    name: 'EXPORT_TIMEOUT_MS',
    parse: wholeNumber(1, 86_400_000),
    default: '600000',
    help: 'time limit of one export',
  },
  maxSubscriptions: {
    name: 'MAX_SUBSCRIPTIONS',
    parse: wholeNumber(1, 1_000_000),
    default: '1000',
    help: 'subscriptions at the same time',
  },
  changesPollMs: {
    name: 'CHANGES_POLL_MS',
    parse: wholeNumber(100, 3_600_000),
    default: '5000',
    help: 'how often to poll REST for changes',
  },
  changesLookbackMs: {
    name: 'CHANGES_LOOKBACK_MS',
    parse: wholeNumber(0, 86_400_000),
    default: '60000',
    help: 'how late REST may show a change',
  },
  credentialCallsPerMinute: {
    name: 'CREDENTIAL_CALLS_PER_MINUTE',
    parse: wholeNumber(0, 1_000_000),
    default: '0',
    help: 'REST calls of one credential; 0: no limit',
  },
  compress: {
    name: 'COMPRESSION',
    parse: onOff,
    default: 'on',
    help: 'compress answers: on or off',
  },
  corsOrigins: { name: 'CORS_ORIGINS', parse: origins, help: 'origins of web pages that may read answers' },
  trustedDocuments: {
    name: 'TRUSTED_DOCUMENTS',
    parse: trustedDocuments,
    help: 'file of the only documents to execute',
  },
  drainDelayMs: {
    name: 'DRAIN_DELAY_MS',
    parse: wholeNumber(0, 600_000),
    default: '0',
    help: 'keep serving this long after SIGTERM',
  },
  graceMs: {
    name: 'SHUTDOWN_GRACE_MS',
    parse: wholeNumber(0, 600_000),
    default: '10000',
    help: 'then wait this long for operations',
  },
  workers: {
    name: 'WORKERS',
    parse: workerCount,
    default: '1',
    show: String,
    help: 'processes; auto: one for each CPU core',
  },
  redisUrl: {
    name: 'REDIS_URL',
    parse: redisAddress,
    secret: true,
    show: withoutCredentials,
    help: 'a Redis that replicas share,',
  },
  sharingSecret: {
    name: 'SHARING_SECRET',
    parse: longSecret,
    secret: true,
    help: 'and the secret they encrypt with',
  },
  logLevel: {
    name: 'LOG',
    parse: choice('off', 'errors', 'operations'),
    default: ({ isTerminal }) => (isTerminal ? 'errors' : 'operations'),
    help: 'off, errors (in a terminal) or operations',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    parse: choice('json', 'pretty'),
    default: ({ isTerminal }) => (isTerminal ? 'pretty' : 'json'),
    help: 'pretty (in a terminal) or json',
  },
  metrics: { name: 'METRICS', parse: onOff, default: 'on', help: '/metrics and /status: on or off' },
  doctorToken: {
    name: 'DOCTOR_TOKEN',
    parse: anyText,
    secret: true,
    help: 'bearer token for doctor',
  },
} satisfies { readonly [member: string]: Setting<unknown> };
