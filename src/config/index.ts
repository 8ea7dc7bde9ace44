import { availableParallelism } from 'node:os';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { EMBEDDED, NEW_SECRET } from './parse.ts';
import { type Environment, SettingReader } from './reader.ts';
import type { Surroundings } from './setting.ts';
import { SETTINGS } from './settings.ts';

export { MAX_HASH_LENGTH } from './files.ts';
export type { Environment } from './reader.ts';
export { ConfigError } from './setting.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Serves metrics, health and readiness; if absent, they are served beside everything else. */
  readonly adminPort?: number;
  /** If absent, the embedded REST service is used; a gateway in another server needs one. */
  readonly restUrl?: URL;
  /** How often something changes in the embedded REST service by itself; 0 if nothing does. */
  readonly embeddedChangesMs: number;
  /** The application of the gateway, used only for `viewer`. */
  readonly application?: { readonly clientId: string; readonly clientSecret: string };
  readonly parameterNames: ParameterNames;
  readonly restTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long responses of the REST service are cached; 0 disables the cache. */
  readonly cacheTtlMs: number;
  readonly maxCalls: number;
  readonly maxFirst: number;
  /** The language that texts are ordered by. */
  readonly orderLocale: string;
  /** The maximum objects and bytes of one response. */
  readonly maxObjects: number;
  readonly maxAnswerBytes: number;
  readonly maxOperations: number;
  /** How many operations one array may have; 0 for none. */
  readonly maxBatch: number;
  readonly maxExports: number;
  readonly exportTimeoutMs: number;
  readonly maxSubscriptions: number;
  /** How often the service is asked for changes, and how far back each time. */
  readonly changesPollMs: number;
  readonly changesLookbackMs: number;
  /** How many REST calls one credential may lead to in a minute; 0 for any number. */
  readonly credentialCallsPerMinute: number;
  /** Whether responses are compressed for clients that accept it. */
  readonly compress: boolean;
  readonly corsOrigins: readonly string[];
  /** The only documents that may be executed, by hash; if absent, any document may. */
  readonly trustedDocuments?: ReadonlyMap<string, string>;
  /** How long to go on serving when told to stop, while readiness says no. */
  readonly drainDelayMs: number;
  readonly graceMs: number;
  /** The number of processes that serve. */
  readonly workers: number;
  /** What several gateways have in common, and the secret that protects it there; if absent, they share nothing. */
  readonly sharing?: { readonly redisUrl: string; readonly secret: string };
  /** What is logged: nothing, faults alone, or every operation too. */
  readonly logLevel: 'off' | 'errors' | 'operations';
  readonly logFormat: 'json' | 'pretty';
  readonly metrics: boolean;
}

/** What the machine is like; without it, no terminal and as many processors as there are. */
export type Machine = Partial<Pick<Surroundings, 'isTerminal' | 'processors'>>;

export function surroundingsOf(resources: readonly Resource[], machine: Machine = {}): Surroundings {
  const { isTerminal = false, processors = availableParallelism() } = machine;
  return { resources, isTerminal, processors };
}

export function readConfig(env: Environment, resources: readonly Resource[], machine?: Machine): Config {
  const reader = new SettingReader(env, surroundingsOf(resources, machine));
  const config = readMembers(reader);
  reader.throwFaults();
  return config;
}

/** For a gateway with a server of its own, which must not serve made-up data by mistake. */
export function readServerConfig(
  env: Environment,
  resources: readonly Resource[],
  machine?: Machine,
): Config {
  const reader = new SettingReader(env, surroundingsOf(resources, machine));
  const config = readMembers(reader);
  checkRestService(reader, env);
  reader.throwFaults();
  return config;
}

/** As the server reads it. Also reads the token of `doctor`, which is no part of the configuration, since nothing else has to know it. */
export function readDoctorConfig(
  env: Environment,
  resources: readonly Resource[],
): { readonly config: Config; readonly token: string | undefined } {
  const reader = new SettingReader(env, surroundingsOf(resources));
  const config = readMembers(reader);
  checkRestService(reader, env);
  const token = reader.optional(SETTINGS.doctorToken);
  reader.throwFaults();
  return { config, token };
}

function readMembers(reader: SettingReader): Config {
  const restUrl = reader.value(SETTINGS.restUrl);
  const application = readApplication(reader);
  const trustedDocuments = reader.optional(SETTINGS.trustedDocuments);
  const sharing = readSharing(reader);
  const adminPort = reader.optional(SETTINGS.adminPort);
  const config: Config = {
    port: reader.value(SETTINGS.port),
    host: reader.value(SETTINGS.host),
    ...(adminPort !== undefined && { adminPort }),
    ...(restUrl !== EMBEDDED && { restUrl }),
    embeddedChangesMs: reader.value(SETTINGS.embeddedChangesMs),
    ...(application && { application }),
    parameterNames: reader.value(SETTINGS.parameterNames),
    restTimeoutMs: reader.value(SETTINGS.restTimeoutMs),
    requestTimeoutMs: reader.value(SETTINGS.requestTimeoutMs),
    cacheTtlMs: reader.value(SETTINGS.cacheTtlMs),
    maxCalls: reader.value(SETTINGS.maxCalls),
    maxFirst: reader.value(SETTINGS.maxFirst),
    orderLocale: reader.value(SETTINGS.orderLocale),
    maxObjects: reader.value(SETTINGS.maxObjects),
    maxAnswerBytes: reader.value(SETTINGS.maxAnswerBytes),
    maxOperations: reader.value(SETTINGS.maxOperations),
    maxBatch: reader.value(SETTINGS.maxBatch),
    maxExports: reader.value(SETTINGS.maxExports),
    exportTimeoutMs: reader.value(SETTINGS.exportTimeoutMs),
    maxSubscriptions: reader.value(SETTINGS.maxSubscriptions),
    changesPollMs: reader.value(SETTINGS.changesPollMs),
    changesLookbackMs: reader.value(SETTINGS.changesLookbackMs),
    credentialCallsPerMinute: reader.value(SETTINGS.credentialCallsPerMinute),
    compress: reader.value(SETTINGS.compress),
    corsOrigins: reader.optional(SETTINGS.corsOrigins) ?? [],
    ...(trustedDocuments && { trustedDocuments }),
    drainDelayMs: reader.value(SETTINGS.drainDelayMs),
    graceMs: reader.value(SETTINGS.graceMs),
    workers: reader.value(SETTINGS.workers),
    ...(sharing && { sharing }),
    logLevel: reader.value(SETTINGS.logLevel),
    logFormat: reader.value(SETTINGS.logFormat),
    metrics: reader.value(SETTINGS.metrics),
  };
  if (config.adminPort && config.adminPort === config.port) {
    reader.faults.push('ADMIN_PORT takes another port than PORT.');
  }
  return Object.freeze(config);
}

function readApplication(reader: SettingReader): Config['application'] {
  const clientId = reader.optional(SETTINGS.clientId);
  const clientSecret = reader.optional(SETTINGS.clientSecret);
  const hasId = reader.isGiven(SETTINGS.clientId);
  if (hasId !== reader.isGiven(SETTINGS.clientSecret)) {
    reader.faults.push(
      `REST_CLIENT_ID and REST_CLIENT_SECRET go together: ${hasId ? 'REST_CLIENT_SECRET' : 'REST_CLIENT_ID'} is missing.`,
    );
  }
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function readSharing(reader: SettingReader): Config['sharing'] {
  const redisUrl = reader.optional(SETTINGS.redisUrl);
  const secret = reader.optional(SETTINGS.sharingSecret);
  const hasSecret = reader.isGiven(SETTINGS.sharingSecret);
  if (reader.isGiven(SETTINGS.redisUrl) && !hasSecret) {
    reader.faults.push(
      `REDIS_URL needs SHARING_SECRET, the same for all gateways that share: ${NEW_SECRET}.`,
    );
  } else if (hasSecret && !reader.isGiven(SETTINGS.redisUrl)) {
    reader.faults.push('SHARING_SECRET is for REDIS_URL, which is not set.');
  }
  return redisUrl && secret ? { redisUrl, secret } : undefined;
}

/** Only this machine reaches what listens on these. */
const LOOPBACK = /^(?:localhost|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i;

/**
 * Without REST_URL the embedded service stands behind the gateway, which is right for trying it and wrong in production:
 * it answers everything, with made-up data. So there it has to be asked for.
 */
function checkRestService(reader: SettingReader, env: Environment): void {
  if (reader.isGiven(SETTINGS.restUrl)) return;
  const reason = productionSign(reader, env);
  if (reason === undefined) return;
  reader.faults.push(
    `REST_URL is not set, but ${reason}: set REST_URL to the address of the REST service, or to embedded for made-up data.`,
  );
}

function productionSign(reader: SettingReader, { NODE_ENV }: Environment): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  return LOOPBACK.test(reader.value(SETTINGS.host)) ? undefined : 'HOST lets other machines in';
}
