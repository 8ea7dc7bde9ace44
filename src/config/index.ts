import { availableParallelism } from 'node:os';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { EMBEDDED, NEW_SECRET } from './parse.ts';
import { type Environment, SettingReader, type Surroundings } from './setting.ts';
import { SETTINGS } from './settings.ts';

export { MAX_HASH_LENGTH } from './files.ts';
export { ConfigError, type Environment } from './setting.ts';

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
  return { resources, isTerminal: false, processors: availableParallelism(), ...machine };
}

/** The token of `doctor` is no part of the configuration, since nothing else has to know it. */
const { doctorToken, ...MEMBERS } = SETTINGS;

export function readConfig(env: Environment, resources: readonly Resource[], machine?: Machine): Config {
  const reader = new SettingReader(env, surroundingsOf(resources, machine));
  return reader.checked(readMembers(reader));
}

/** For a gateway with a server of its own, which must not serve made-up data by mistake. */
export function readServerConfig(
  env: Environment,
  resources: readonly Resource[],
  machine?: Machine,
): Config {
  const reader = new SettingReader(env, surroundingsOf(resources, machine));
  return reader.checked(readServerMembers(reader, env));
}

/** As the server reads it, with the token of `doctor`. */
export function readDoctorConfig(
  env: Environment,
  resources: readonly Resource[],
): { readonly config: Config; readonly token: string | undefined } {
  const reader = new SettingReader(env, surroundingsOf(resources));
  const config = readServerMembers(reader, env);
  return reader.checked({ config, token: reader.value(doctorToken) });
}

function readMembers(reader: SettingReader): Config {
  const {
    adminPort,
    restUrl,
    clientId,
    clientSecret,
    corsOrigins = [],
    trustedDocuments,
    redisUrl,
    sharingSecret,
    ...others
  } = reader.values(MEMBERS);
  const { faults } = reader;
  const hasId = reader.isGiven(MEMBERS.clientId);
  if (hasId !== reader.isGiven(MEMBERS.clientSecret)) {
    const missing = hasId ? 'REST_CLIENT_SECRET' : 'REST_CLIENT_ID';
    faults.push(`REST_CLIENT_ID and REST_CLIENT_SECRET go together: ${missing} is missing.`);
  }
  const [hasUrl, hasSecret] = [MEMBERS.redisUrl, MEMBERS.sharingSecret].map((each) => reader.isGiven(each));
  if (hasUrl && !hasSecret)
    faults.push(`REDIS_URL needs SHARING_SECRET, the same for all gateways that share: ${NEW_SECRET}.`);
  if (hasSecret && !hasUrl) faults.push('SHARING_SECRET is for REDIS_URL, which is not set.');
  if (adminPort && adminPort === others.port) faults.push('ADMIN_PORT takes another port than PORT.');
  return Object.freeze({
    ...others,
    corsOrigins,
    ...(adminPort !== undefined && { adminPort }),
    ...(restUrl !== EMBEDDED && { restUrl }),
    ...(clientId && clientSecret && { application: { clientId, clientSecret } }),
    ...(trustedDocuments && { trustedDocuments }),
    ...(redisUrl && sharingSecret && { sharing: { redisUrl, secret: sharingSecret } }),
  });
}

/** Only this machine reaches what listens on these. */
const LOOPBACK = /^(?:localhost|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i;

/**
 * Without REST_URL the embedded service stands behind the gateway, which is right for trying it and wrong in production:
 * it answers everything, with made-up data. So there it has to be asked for.
 */
function readServerMembers(reader: SettingReader, { NODE_ENV }: Environment): Config {
  const config = readMembers(reader);
  const isProduction = NODE_ENV === 'production';
  if (!reader.isGiven(SETTINGS.restUrl) && (isProduction || !LOOPBACK.test(config.host))) {
    const reason = isProduction ? 'NODE_ENV is production' : 'HOST lets other machines in';
    reader.faults.push(
      `REST_URL is not set, but ${reason}: set REST_URL to the address of the REST service, or to embedded for made-up data.`,
    );
  }
  return config;
}
