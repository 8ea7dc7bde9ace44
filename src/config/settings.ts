import { isNetwork } from '../networks.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { DEFAULT_FIRST } from '../rest/query.ts';
import { type Default, invalidSetting, type Parse, type Setting, tryReadFile } from './setting.ts';

const anyText: Parse<string> = (text) => text;

/** Quotes only short values: a longer one may be a secret in the wrong variable. */
function quote(text: string): string {
  return text.length <= 16 ? JSON.stringify(text) : `a text of ${text.length} characters`;
}

function wholeNumber(min: number, max: number): Parse<number> {
  return (text, name) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw invalidSetting(`${name} takes a whole number from ${min} to ${max}, not ${quote(text)}.`);
  };
}

function choice<const Options extends readonly string[]>(...options: Options): Parse<Options[number]> {
  const list = `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
  return (text, name) => {
    const option = options.find((candidate) => candidate === text);
    if (option !== undefined) return option;
    throw invalidSetting(`${name} takes ${list}, not ${quote(text)}.`);
  };
}

const logLevel = choice('off', 'errors', 'operations');
const logFormat = choice('json', 'pretty');
const onOff: Parse<boolean> = (...args) => choice('on', 'off')(...args) === 'on';

function textThat(isValid: (text: string) => boolean, demand: string): Parse<string> {
  return (text, name) => {
    if (isValid(text)) return text;
    throw invalidSetting(`${name} ${demand}.`);
  };
}

const clientId = textThat(
  (text) => !text.includes(':'),
  'must not contain a colon, which ends it in a Basic credential',
);

export const NEW_SECRET = 'make one with `openssl rand -base64 32`';
const MIN_SECRET_LENGTH = 32;

const longSecret = textThat(
  (text) => text.length >= MIN_SECRET_LENGTH,
  `takes at least ${MIN_SECRET_LENGTH} characters: ${NEW_SECRET}`,
);

const locale = textThat((text) => {
  try {
    return Intl.Collator.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}, 'takes the tag of a language, such as nl, de or en-GB');

export const EMBEDDED = 'embedded';

/** The error does not quote the URL: a password in it ends up in the path if it contains a slash. */
const restAddress: Parse<URL | typeof EMBEDDED> = (text, name) => {
  if (text === EMBEDDED) return EMBEDDED;
  const url = parseUrl(text);
  const extra = url && [url.username, url.password, url.search, url.hash].join('');
  if (url && extra === '' && /^https?:$/.test(url.protocol) && !/@|\/v1\/*$/.test(url.pathname)) return url;
  const parts = 'without user, password, query, fragment and /v1';
  throw invalidSetting(
    `${name} takes an address that starts with https:// or http://, ${parts}; or ${EMBEDDED}.`,
  );
};

/** Whether a URL's password is percent-encoded. Otherwise some of it would be parsed as another component. */
const isEncoded = (text: string) => !/[?#\s]|%(?![\da-f]{2})/i.test(text);
const ENCODING = 'with /, ?, #, @ and % in a password as %2F, %3F, %23, %40 and %25';

/** Rejects a path: it would be ignored, or is the rest of a password with a slash. */
const proxyAddress: Parse<URL> = (text, name) => {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && isEncoded(text)) return url;
  throw invalidSetting(
    `${name} takes an address such as http://user:password@proxy.example:3128, ${ENCODING}.`,
  );
};

/** Returns the text, since Redis clients take that. The path is the number of a database. */
const redisAddress = textThat((text) => {
  const url = parseUrl(text);
  const isRedis = url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  return isRedis && /^(\/\d*)?$/.test(url.pathname) && isEncoded(text);
}, `takes an address such as rediss://user:password@redis.example:6379/0, ${ENCODING}`);

function withoutUser(address: string): string {
  return address.replace(/\/\/.*@/, '//***@');
}

/** The error gives a position, since the rest of the list may be private. */
const origins: Parse<readonly string[]> = (text, name) => {
  const list = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const wrong = list.findIndex((origin) => parseUrl(origin)?.origin !== origin || origin.includes('*'));
  if (wrong === -1) return list;
  const form = 'each in full, without wildcards, a path or a slash at the end';
  throw invalidSetting(
    `${name} takes origins such as https://app.example, ${form}: number ${wrong + 1} is invalid.`,
  );
};

const LOOPBACK = ['127.0.0.0/8', '::1'];
const NETWORKS = new Map([
  ['none', []],
  ['loopback', LOOPBACK],
  ['private', [...LOOPBACK, '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

const proxies: Parse<readonly string[]> = (text, name) => {
  const list = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const wrong = list.findIndex((entry) => !NETWORKS.has(entry) && !isNetwork(entry));
  const isMixed = list.length > 1 && list.includes('none');
  if (wrong === -1 && !isMixed) return list.flatMap((entry) => NETWORKS.get(entry) ?? entry);
  const problem = isMixed ? 'none cannot be combined' : `number ${wrong + 1} is invalid`;
  throw invalidSetting(
    `${name} takes addresses, networks such as 10.0.0.0/8, loopback and private; or none: ${problem}.`,
  );
};

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const jsonObject: Parse<{ readonly [name: string]: unknown }> = (text, name) => {
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  throw invalidSetting(
    `${name} takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.`,
  );
};

const trustedDocuments: Parse<ReadonlyMap<string, string>> = (path, name) => {
  const parsed = parseJson(tryReadFile(path) ?? '');
  const documents = Object.entries(isObject(parsed) ? parsed : {});
  if (documents.length > 0 && documents.every(([, text]) => typeof text === 'string'))
    return new Map(documents.map(([hash, text]) => [hash, String(text)]));
  const form = 'documents by their hashes in JSON, as graphql-codegen writes it';
  throw invalidSetting(`${name} takes the path of a file that can be read, of ${form}.`);
};

function optional<T>(name: string, parse: Parse<T>, help: string): Setting<T | undefined> {
  return { name, parse, help };
}

function secret<T>(name: string, parse: Parse<T>, help: string): Setting<T | undefined> {
  return { name, parse, help, secret: true };
}

function proxy(name: string, help: string): Setting<URL | undefined> {
  return { ...secret(name, proxyAddress, help), anyCase: true, show: withoutUser };
}

function preset<T>(name: string, parse: Parse<T>, value: Default, help: string): Setting<T> {
  return { name, parse, default: value, help };
}

function number(name: string, min: number, max: number, value: number, help: string) {
  return preset(name, wholeNumber(min, max), String(value), help);
}

const HOUR = 3_600_000;

/** Every setting, in the order of the help. A number has its minimum, maximum and default. */
export const SETTINGS = {
  port: number('PORT', 0, 65_535, 4_000, 'where to listen; 0: any free port'),
  host: preset('HOST', anyText, '127.0.0.1', 'the address to listen on'),
  adminPort: optional('ADMIN_PORT', wholeNumber(0, 65_535), 'extra port for /metrics and probes'),
  restUrl: preset('REST_URL', restAddress, EMBEDDED, 'a REST service; embedded: made-up data'),
  embeddedChangesMs: number('EMBEDDED_CHANGES_MS', 0, HOUR, 3_000, 'how often its data changes; 0: never'),
  httpsProxy: proxy('HTTPS_PROXY', 'a proxy for REST calls to https://'),
  httpProxy: proxy('HTTP_PROXY', 'and to http://; without HTTPS_PROXY, for both'),
  noProxy: { ...optional('NO_PROXY', anyText, 'hosts to call directly; *: all'), anyCase: true },
  clientId: secret('REST_CLIENT_ID', clientId, 'an application, used only for `viewer`,'),
  clientSecret: secret('REST_CLIENT_SECRET', anyText, 'and its secret'),
  parameterNames: preset('REST_PARAMETER_NAMES', jsonObject, '{}', 'names of query parameters (JSON)'),
  restTimeoutMs: number('REST_TIMEOUT_MS', 1, 600_000, 10_000, 'time limit of one REST call'),
  requestTimeoutMs: number('REQUEST_TIMEOUT_MS', 1, 600_000, 30_000, 'time limit of one operation'),
  cacheTtlMs: number('CACHE_TTL_MS', 0, HOUR, 5_000, 'how long records are cached; 0: not'),
  maxCalls: number('MAX_CALLS', 1, 10_000, 50, 'REST calls of one operation, at most'),
  maxFirst: number('MAX_FIRST', DEFAULT_FIRST, 1_000_000, 10_000, 'records of one list, at most'),
  orderLocale: preset('ORDER_LOCALE', locale, 'nl', 'language whose alphabet sorts text'),
  maxValues: number('MAX_VALUES', 1, 10_000_000, 1_000_000, 'values of one result, at most'),
  maxAnswerBytes: number('MAX_ANSWER_BYTES', 1_000, 16_000_000, 16_000_000, 'bytes of one result, at most'),
  maxOperations: number('MAX_OPERATIONS', 1, 100_000, 2_048, 'operations at the same time'),
  maxBatch: number('MAX_BATCH', 0, 1_000, 10, 'operations of one array; 0: no arrays'),
  maxExports: number('MAX_EXPORTS', 1, 1_000, 8, 'exports (CSV, NDJSON) at the same time'),
  exportTimeoutMs: number('EXPORT_TIMEOUT_MS', 1, 86_400_000, 600_000, 'time limit of one export'),
  maxSubscriptions: number('MAX_SUBSCRIPTIONS', 1, 1_000_000, 1_500, 'subscriptions at the same time'),
  changesPollMs: number('CHANGES_POLL_MS', 100, HOUR, 5_000, 'how often to poll REST for changes'),
  changesLookbackMs: number('CHANGES_LOOKBACK_MS', 0, 86_400_000, 60_000, 'how late REST may show a change'),
  credentialCallsPerMinute: number('CREDENTIAL_CALLS_PER_MINUTE', 0, 1_000_000, 0, 'REST calls; 0: no limit'),
  compress: preset('COMPRESSION', onOff, 'on', 'compress responses: on or off'),
  corsOrigins: optional('CORS_ORIGINS', origins, 'origins of web pages that may read responses'),
  trustedProxies: preset('TRUSTED_PROXIES', proxies, 'loopback', 'proxies whose X-Forwarded-For counts'),
  trustedDocuments: optional('TRUSTED_DOCUMENTS', trustedDocuments, 'file of the only documents to execute'),
  drainDelayMs: number('DRAIN_DELAY_MS', 0, 600_000, 0, 'keep serving this long after SIGTERM'),
  graceMs: number('SHUTDOWN_GRACE_MS', 0, 600_000, 10_000, 'then wait this long for operations'),
  redisUrl: { ...secret('REDIS_URL', redisAddress, 'a Redis that replicas share,'), show: withoutUser },
  sharingSecret: secret('SHARING_SECRET', longSecret, 'and the secret they encrypt with'),
  logLevel: preset('LOG', logLevel, ['operations', 'errors'], 'off, errors (in a terminal) or operations'),
  logFormat: preset('LOG_FORMAT', logFormat, ['json', 'pretty'], 'pretty (in a terminal) or json'),
  metrics: preset('METRICS', onOff, 'on', '/metrics: on or off'),
  doctorToken: secret('DOCTOR_TOKEN', anyText, 'bearer token for doctor'),
} satisfies { readonly [member: string]: Setting<unknown> };

/** Removed settings, with what to do instead. Ignoring one would break its promise silently. */
export const REMOVED_SETTINGS = {
  MAX_OBJECTS: 'set MAX_VALUES, which counts all values',
  WORKERS:
    'start one process for each core, each with its own PORT, behind a proxy, ' +
    'as receivables-graphql@.service and the files of nginx in deploy/ do (docs/scaling.md)',
};
