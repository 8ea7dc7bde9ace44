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
    help: 'a port of its own for /metrics, /status, probes',
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
    help: 'how often that one changes; 0: never',
  },
  clientId: {
    name: 'REST_CLIENT_ID',
    parse: clientId,
    secret: true,
    help: 'an application, used for `viewer` alone,',
  },
  clientSecret: { name: 'REST_CLIENT_SECRET', parse: anyText, secret: true, help: 'and its secret' },
  parameterNames: {
    name: 'REST_PARAMETER_NAMES',
    parse: parameterNames,
    default: '{}',
    help: 'names of query parameters, as JSON',
  },
  restTimeoutMs: {
    name: 'REST_TIMEOUT_MS',
    parse: wholeNumber(1, 600_000),
    default: '10000',
    help: 'for one REST call',
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT_MS',
    parse: wholeNumber(1, 600_000),
    default: '30000',
    help: 'for one operation',
  },
  cacheTtlMs: {
    name: 'CACHE_TTL_MS',
    parse: wholeNumber(0, 3_600_000),
    default: '5000',
    help: 'how long what was read may be shown again',
  },
  maxCalls: {
    name: 'MAX_CALLS',
    parse: wholeNumber(1, 10_000),
    default: '50',
    help: 'REST calls that one operation may need',
  },
  maxFirst: {
    name: 'MAX_FIRST',
    parse: wholeNumber(DEFAULT_FIRST, 1_000_000),
    default: '10000',
    help: 'rows that one list may ask for',
  },
  orderLocale: {
    name: 'ORDER_LOCALE',
    parse: locale,
    default: 'nl',
    help: 'the language that texts are ordered by',
  },
  maxObjects: {
    name: 'MAX_OBJECTS',
    parse: wholeNumber(1, 10_000_000),
    default: '100000',
    help: 'objects of one answer',
  },
  maxAnswerBytes: {
    name: 'MAX_ANSWER_BYTES',
    parse: wholeNumber(1_000, 500_000_000),
    default: '32000000',
    help: 'bytes of one answer',
  },
  maxOperations: {
    name: 'MAX_OPERATIONS',
    parse: wholeNumber(1, 100_000),
    default: '256',
    help: 'operations under way at once',
  },
  maxExports: {
    name: 'MAX_EXPORTS',
    parse: wholeNumber(1, 1_000),
    default: '4',
    help: 'exports (CSV, NDJSON) under way at once',
  },
  exportTimeoutMs: {
    name: 'EXPORT_TIMEOUT_MS',
    parse: wholeNumber(1, 86_400_000),
    default: '600000',
    help: 'for one export',
  },
  maxSubscriptions: {
    name: 'MAX_SUBSCRIPTIONS',
    parse: wholeNumber(1, 1_000_000),
    default: '1000',
    help: 'streams of changes open at once',
  },
  changesPollMs: {
    name: 'CHANGES_POLL_MS',
    parse: wholeNumber(100, 3_600_000),
    default: '5000',
    help: 'how often the service is asked for changes',
  },
  changesLookbackMs: {
    name: 'CHANGES_LOOKBACK_MS',
    parse: wholeNumber(0, 86_400_000),
    default: '60000',
    help: 'how late a change may come to light',
  },
  credentialCallsPerMinute: {
    name: 'CREDENTIAL_CALLS_PER_MINUTE',
    parse: wholeNumber(0, 1_000_000),
    default: '0',
    help: 'REST calls of one credential; 0: any number',
  },
  compress: {
    name: 'COMPRESSION',
    parse: onOff,
    default: 'on',
    help: 'off: answers go out as they are',
  },
  corsOrigins: { name: 'CORS_ORIGINS', parse: origins, help: 'origins whose pages may read answers' },
  trustedDocuments: {
    name: 'TRUSTED_DOCUMENTS',
    parse: trustedDocuments,
    help: 'a file of documents: only those are run',
  },
  drainDelayMs: {
    name: 'DRAIN_DELAY_MS',
    parse: wholeNumber(0, 600_000),
    default: '0',
    help: 'how long SIGTERM goes on serving first',
  },
  graceMs: {
    name: 'SHUTDOWN_GRACE_MS',
    parse: wholeNumber(0, 600_000),
    default: '10000',
    help: 'how long it then waits for operations',
  },
  workers: {
    name: 'WORKERS',
    parse: workerCount,
    default: '1',
    show: String,
    help: 'processes; auto: one for each processor',
  },
  redisUrl: {
    name: 'REDIS_URL',
    parse: redisAddress,
    secret: true,
    show: withoutCredentials,
    help: 'a Redis by which several gateways share,',
  },
  sharingSecret: {
    name: 'SHARING_SECRET',
    parse: longSecret,
    secret: true,
    help: 'and the secret that they share it with',
  },
  logLevel: {
    name: 'LOG',
    parse: choice('off', 'errors', 'operations'),
    default: ({ isTerminal }) => (isTerminal ? 'errors' : 'operations'),
    help: 'off, errors (at a terminal) or operations',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    parse: choice('json', 'pretty'),
    default: ({ isTerminal }) => (isTerminal ? 'pretty' : 'json'),
    help: 'pretty (at a terminal) or json',
  },
  metrics: { name: 'METRICS', parse: onOff, default: 'on', help: 'off: no /metrics, no /status' },
  doctorToken: {
    name: 'DOCTOR_TOKEN',
    parse: anyText,
    secret: true,
    help: 'the bearer token that doctor uses',
  },
} satisfies { readonly [member: string]: Setting<unknown> };
