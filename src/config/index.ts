import type { Resource } from '../rest/resource.ts';
import { EMBEDDED, NEW_SECRET } from './parse.ts';
import { type Environment, SettingReader, type Surroundings, type Values } from './setting.ts';
import { SETTINGS } from './settings.ts';

export { MAX_HASH_LENGTH } from './files.ts';
export { ConfigError, type Environment } from './setting.ts';

/** The token of `doctor` is no part of the configuration, since nothing else has to know it. */
const { doctorToken, ...MEMBERS } = SETTINGS;

type Joined = 'clientId' | 'clientSecret' | 'redisUrl' | 'sharingSecret';
type Optional = 'adminPort' | 'restUrl' | 'corsOrigins' | 'trustedDocuments';

/** What the settings come to, each by its member in SETTINGS, which tells what it means. */
export interface Config extends Omit<Values<typeof MEMBERS>, Joined | Optional> {
  /** Serves metrics, health and readiness; if absent, they are served beside everything else. */
  readonly adminPort?: number;
  /** If absent, the embedded REST service is used; a gateway in another server needs one. */
  readonly restUrl?: URL;
  /** The application of the gateway, used only for `viewer`. */
  readonly application?: { readonly clientId: string; readonly clientSecret: string };
  readonly corsOrigins: readonly string[];
  /** The only documents that may be executed, by hash; if absent, any document may. */
  readonly trustedDocuments?: ReadonlyMap<string, string>;
  /** What several gateways have in common, and the secret that protects it there; if absent, they share nothing. */
  readonly sharing?: { readonly redisUrl: string; readonly secret: string };
}

export function surroundingsOf(
  resources: readonly Resource[],
  { isTerminal = false }: Partial<Surroundings> = {},
): Surroundings {
  return { resources, isTerminal };
}

/** Reads settings of the environment, and throws all that is wrong with them. */
const reading =
  <T>(read: (reader: SettingReader, env: Environment) => T) =>
  (env: Environment, resources: readonly Resource[], surroundings?: Partial<Surroundings>): T => {
    const reader = new SettingReader(env, surroundingsOf(resources, surroundings));
    return reader.checked(read(reader, env));
  };

export const readConfig = reading(readMembers);

/** For a gateway with a server of its own, which must not serve made-up data by mistake. */
export const readServerConfig = reading(readServerMembers);

/** As the server reads it, with the token of `doctor`. */
export const readDoctorConfig = reading((reader, env) => ({
  config: readServerMembers(reader, env),
  token: reader.value(doctorToken),
}));

/** Settings of earlier versions, each with what to do instead: ignored, they would promise a limit that does not hold. */
const GONE = { MAX_OBJECTS: 'set MAX_VALUES, which counts every value and not only objects' } as const;

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
  if (others.workers > 1 && !hasUrl)
    faults.push(
      'WORKERS needs REDIS_URL: processes share refreshes and invalidations through it, as replicas do.',
    );
  if (hasSecret && !hasUrl) faults.push('SHARING_SECRET is for REDIS_URL, which is not set.');
  for (const [name, advice] of Object.entries(GONE))
    if (reader.isGiven({ name })) faults.push(`${name} is no longer a setting: ${advice}.`);
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
