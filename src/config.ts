import { readFileSync } from 'node:fs';
import { isObject, parseJson } from './rest/json.ts';
import { DEFAULT_FIRST } from './rest/query.ts';
import type { ParameterNames, Resource } from './rest/resource.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** If absent, the embedded REST service is used. */
  readonly restUrl?: URL;
  /** The application of the gateway, used only for `viewer`. */
  readonly application?: { readonly clientId: string; readonly clientSecret: string };
  readonly parameterNames: ParameterNames;
  readonly restTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long responses of the REST service are cached; 0 disables the cache. */
  readonly cacheTtlMs: number;
  readonly maxCalls: number;
  readonly maxFirst: number;
  /** The maximum objects and bytes of one response. */
  readonly maxObjects: number;
  readonly maxAnswerBytes: number;
  readonly maxOperations: number;
  /** Whether responses are compressed for clients that accept it. */
  readonly compress: boolean;
  readonly corsOrigins: readonly string[];
  /** The only documents that may be executed, by hash; if absent, any document may. */
  readonly trustedDocuments?: ReadonlyMap<string, string>;
  readonly graceMs: number;
  /** What replicas share through Redis; if absent, each works alone. */
  readonly sharing?: { readonly redisUrl: string; readonly secret: string };
  /** REST calls that one credential may make in a minute; 0: any number. */
  readonly credentialCallsPerMinute: number;
}

type Environment = { readonly [name: string]: string | undefined };

/** Lists all faults, so that they can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `- ${fault}`)].join('\n'));
    this.faults = faults;
  }
}

export function readConfig(env: Environment, resources: readonly Resource[]): Config {
  const faults: string[] = [];

  function integer(name: string, fallback: number, min: number, max: number): number {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    faults.push(`${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
    return fallback;
  }

  const restUrl = readUrl(env, faults);
  const application = readApplication(env, faults);
  const trustedDocuments = readTrustedDocuments(env, faults);
  const sharing = readSharing(env, faults);
  const config: Config = {
    port: integer('PORT', 4000, 0, 65_535),
    host: env.HOST || '127.0.0.1',
    ...(restUrl && { restUrl }),
    ...(application && { application }),
    parameterNames: readParameterNames(env, resources, faults),
    restTimeoutMs: integer('REST_TIMEOUT_MS', 10_000, 1, 600_000),
    requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 30_000, 1, 600_000),
    cacheTtlMs: integer('CACHE_TTL_MS', 5_000, 0, 3_600_000),
    maxCalls: integer('MAX_CALLS', 50, 1, 10_000),
    maxFirst: integer('MAX_FIRST', 10_000, DEFAULT_FIRST, 1_000_000),
    maxObjects: integer('MAX_OBJECTS', 100_000, 1, 10_000_000),
    maxAnswerBytes: integer('MAX_ANSWER_BYTES', 32_000_000, 1_000, 500_000_000),
    maxOperations: integer('MAX_OPERATIONS', 256, 1, 100_000),
    compress: readSwitch('COMPRESSION', env, faults),
    corsOrigins: readOrigins(env, faults),
    ...(trustedDocuments && { trustedDocuments }),
    graceMs: integer('SHUTDOWN_GRACE_MS', 10_000, 0, 600_000),
    ...(sharing && { sharing }),
    credentialCallsPerMinute: integer('CREDENTIAL_CALLS_PER_MINUTE', 0, 0, 1_000_000),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** The faults do not quote the URL, since it may contain a password. */
function readUrl({ REST_URL: text }: Environment, faults: string[]): URL | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    faults.push('REST_URL takes an address that starts with https:// or http://.');
  } else if (url.username || url.password || url.search || url.hash) {
    faults.push('REST_URL takes an address without user, password, query or fragment.');
  } else {
    return url;
  }
  return undefined;
}

/** The faults quote neither: both are secrets. */
function readSharing(
  { REDIS_URL: redisUrl, SHARING_SECRET: secret }: Environment,
  faults: string[],
): Config['sharing'] {
  if (!redisUrl && !secret) return undefined;
  const url = redisUrl && URL.canParse(redisUrl) ? new URL(redisUrl) : undefined;
  if (!url || !/^rediss?:$/.test(url.protocol) || !/^\/?\d*$/.test(url.pathname) || url.search || url.hash)
    faults.push('REDIS_URL takes an address such as rediss://user:password@redis.example:6379/0.');
  if (!secret || secret.length < 32)
    faults.push('SHARING_SECRET takes 32 characters or more, the same at all replicas.');
  return redisUrl && secret ? { redisUrl, secret } : undefined;
}

function readSwitch(name: string, env: Environment, faults: string[]): boolean {
  const text = env[name] || 'on';
  if (text !== 'on' && text !== 'off') faults.push(`${name} takes on or off, not ${JSON.stringify(text)}.`);
  return text !== 'off';
}

function readOrigins({ CORS_ORIGINS: text = '' }: Environment, faults: string[]): string[] {
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '');
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    faults.push(`CORS_ORIGINS takes origins such as https://app.example, not ${JSON.stringify(origin)}.`);
  }
  return origins;
}

function readApplication(env: Environment, faults: string[]): Config['application'] {
  const { REST_CLIENT_ID: clientId, REST_CLIENT_SECRET: clientSecret } = env;
  if (clientId && clientSecret) {
    if (!clientId.includes(':')) return { clientId, clientSecret };
    faults.push('REST_CLIENT_ID cannot hold a colon, which ends it in a Basic credential.');
  } else if (clientId || clientSecret) {
    faults.push(
      `REST_CLIENT_ID and REST_CLIENT_SECRET go together: ${clientId ? 'REST_CLIENT_SECRET' : 'REST_CLIENT_ID'} is missing.`,
    );
  }
  return undefined;
}

/** Hashes in messages are truncated, since they may be any text. */
export const MAX_HASH_LENGTH = 80;

/** The documents are validated against the schema later, by `checkTrustedDocuments`. */
function readTrustedDocuments(
  { TRUSTED_DOCUMENTS: path }: Environment,
  faults: string[],
): ReadonlyMap<string, string> | undefined {
  if (!path) return undefined;
  const fault = (text: string) => faults.push(`TRUSTED_DOCUMENTS: ${text}`);
  const text = readText(path);
  const parsed = text === undefined ? undefined : parseJson(text);
  const documents = new Map<string, string>();
  if (text === undefined) {
    fault(`${JSON.stringify(path)} is not a file that can be read.`);
  } else if (!isObject(parsed) || Object.keys(parsed).length === 0) {
    fault(
      `${JSON.stringify(path)} takes a JSON object of documents by their hashes, as graphql-codegen writes.`,
    );
  } else {
    for (const [hash, document] of Object.entries(parsed)) {
      if (typeof document === 'string') documents.set(hash, document);
      else fault(`${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))} takes the text of a document.`);
    }
  }
  return documents;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const PAGE_PARAMETERS = ['fields', 'cursor', 'per_page'];

function readParameterNames(
  env: Environment,
  resources: readonly Resource[],
  faults: string[],
): ParameterNames {
  const fault = (text: string) => faults.push(`REST_PARAMETER_NAMES: ${text}`);
  const parsed = parseJson(env.REST_PARAMETER_NAMES || '{}');
  if (!isObject(parsed)) {
    fault('takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.');
    return {};
  }
  const names: Record<string, Record<string, string>> = {};
  for (const [field, renamed] of Object.entries(parsed)) {
    const resource = resources.find(({ name }) => name === field);
    if (!resource) {
      fault(
        `${JSON.stringify(field)} is not a list; there are ${resources.map(({ name }) => name).join(', ')}.`,
      );
    } else if (!isObject(renamed)) {
      fault(`"${field}" takes an object of arguments and parameter names.`);
    } else {
      names[field] = readRenamed(resource, renamed, fault);
    }
  }
  return names;
}

function readRenamed(
  resource: Resource,
  renamed: { readonly [argument: string]: unknown },
  fault: (text: string) => void,
): Record<string, string> {
  const names: Record<string, string> = {};
  const taken = new Set(PAGE_PARAMETERS);
  for (const [argument, { name }] of Object.entries(resource.filters)) {
    if (!(argument in renamed)) taken.add(name);
  }
  for (const [argument, name] of Object.entries(renamed)) {
    const place = `"${resource.name}"`;
    if (resource.filters[argument] === undefined) {
      const allowed = Object.keys(resource.filters).join(', ') || 'none';
      fault(`${place} has no argument ${JSON.stringify(argument)}; it has ${allowed}.`);
    } else if (typeof name !== 'string' || !/^[\w.[\]-]+$/.test(name)) {
      fault(`${place} takes for "${argument}" a name of letters, digits, "_", "-", "." and brackets.`);
    } else if (taken.has(name)) {
      fault(`${place} has more than one parameter called "${name}".`);
    } else {
      taken.add(name);
      names[argument] = name;
    }
  }
  return names;
}
