import { isObject } from '../rest/json.ts';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import {
  ConfigError,
  type Environment,
  findVariable,
  getDefault,
  readSetting,
  type Setting,
} from './setting.ts';
import { EMBEDDED, NEW_SECRET, REMOVED_SETTINGS, SETTINGS } from './settings.ts';

export { ConfigError, type Environment } from './setting.ts';

/** Only `doctor` needs its token, so the configuration omits it. */
const { doctorToken, ...MEMBERS } = SETTINGS;

type Values = { readonly [member in keyof typeof MEMBERS]: ReturnType<(typeof MEMBERS)[member]['parse']> };

type Joined = 'restUrl' | 'clientId' | 'clientSecret' | 'redisUrl' | 'sharingSecret';
type Optional = 'adminPort' | 'trustedDocuments' | 'httpsProxy' | 'httpProxy' | 'noProxy';

export interface Config extends Omit<Values, Joined | Optional>, Partial<Pick<Values, Optional>> {
  /** By default, the embedded REST service. A gateway in another server needs its own. */
  readonly restUrl?: URL;
  readonly parameterNames: ParameterNames;
  readonly corsOrigins: readonly string[];
  /** The application of the gateway, used only for `viewer`. */
  readonly application?: { readonly clientId: string; readonly clientSecret: string };
  /** The Redis that gateways share, and the secret that protects shared data; if absent, they share nothing. */
  readonly sharing?: {
    readonly redisUrl: string;
    readonly secret: string;
    /** How long Redis may take for a command; 250 ms by default. */
    readonly deadlineMs?: number;
  };
}

interface ReadOptions {
  readonly isTerminal?: boolean;
  /** Whether the gateway has a server of its own, which must not serve made-up data by mistake. */
  readonly isServer?: boolean;
}

/** Reads the settings of the environment. Throws a ConfigError with every problem. */
export function readConfig(
  env: Environment,
  resources: readonly Resource[],
  { isTerminal = false, isServer = false }: ReadOptions = {},
): Config {
  const problems: string[] = [];
  /** Uses the default of an invalid setting, so that the other settings are checked too. */
  const read = (setting: Setting<unknown>): unknown => {
    const text = getDefault(setting, isTerminal);
    try {
      const value = readSetting(env, setting) ?? text;
      return value && setting.parse(value, setting.name);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.faults);
      return text && setting.parse(text, setting.name);
    }
  };
  const entries = Object.entries(MEMBERS).map(([member, setting]) => [member, read(setting)]);
  const values: Values = Object.fromEntries(entries);
  const { restUrl, clientId, clientSecret, redisUrl, sharingSecret, ...settings } = values;
  const { port, adminPort, host, corsOrigins = [] } = settings;
  const names = parameterNames(settings.parameterNames, resources, problems);
  const has = (member: keyof typeof MEMBERS) => findVariable(env, MEMBERS[member]) !== undefined;
  if (has('clientId') !== has('clientSecret'))
    problems.push('Only one of REST_CLIENT_ID and REST_CLIENT_SECRET is set: set both.');
  if (has('redisUrl') && !has('sharingSecret'))
    problems.push(`REDIS_URL is set without SHARING_SECRET: ${NEW_SECRET}, the same for all replicas.`);
  if (has('sharingSecret') && !has('redisUrl'))
    problems.push('SHARING_SECRET is set without REDIS_URL: set both or neither.');
  if (adminPort && adminPort === port) problems.push('ADMIN_PORT and PORT are the same: change one.');
  for (const [name, remedy] of Object.entries(REMOVED_SETTINGS))
    if (env[name]) problems.push(`${name} is no longer a setting: ${remedy}.`);
  const reason = isServer && !has('restUrl') ? requireRestUrl(env, host) : undefined;
  if (reason)
    problems.push(
      `REST_URL is not set, but ${reason}: set REST_URL to the address of the REST service, or to embedded for made-up data.`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    ...settings,
    parameterNames: names,
    corsOrigins,
    ...(restUrl !== EMBEDDED && { restUrl }),
    ...(clientId && clientSecret && { application: { clientId, clientSecret } }),
    ...(redisUrl && sharingSecret && { sharing: { redisUrl, secret: sharingSecret } }),
  });
}

export function readDoctorConfig(env: Environment, resources: readonly Resource[]) {
  return { config: readConfig(env, resources, { isServer: true }), token: readSetting(env, doctorToken) };
}

const LOOPBACK = /^(?:localhost|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i;

/** Returns why REST_URL must be set: the embedded service's made-up data would go unnoticed in production. */
function requireRestUrl({ NODE_ENV }: Environment, host: string): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  return LOOPBACK.test(host) ? undefined : 'HOST accepts other machines';
}

function parameterNames(
  configured: { readonly [list: string]: unknown },
  resources: readonly Resource[],
  problems: string[],
): ParameterNames {
  const names: Record<string, Record<string, string>> = {};
  const report = (problem: string) => void problems.push(`REST_PARAMETER_NAMES: ${problem}`);
  const lists = new Map(resources.map(({ name, filters }) => [name, Object.keys(filters)]));
  for (const [list, renamed] of Object.entries(configured)) {
    const argumentNames = lists.get(list);
    if (!argumentNames)
      report(`${JSON.stringify(list)} is not a list; there are ${[...lists.keys()].join(', ')}.`);
    else if (!isObject(renamed)) report(`"${list}" takes an object of arguments and parameter names.`);
    else
      for (const [argument, name] of Object.entries(renamed)) {
        if (!argumentNames.includes(argument))
          report(
            `"${list}" has no argument ${JSON.stringify(argument)}; it has ${argumentNames.join(', ')}.`,
          );
        else if (typeof name !== 'string' || !/^[\w.[\]-]+$/.test(name))
          report(`"${list}" takes for "${argument}" a name of letters, digits, "_", "-", "." and brackets.`);
        else names[list] = { ...names[list], [argument]: name };
      }
  }
  return names;
}
