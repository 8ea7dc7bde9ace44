import { readFileSync } from 'node:fs';

/** Throws a ConfigError for a text that the setting does not take. */
export type Parse<T> = (text: string, name: string) => T;

export type Default = string | ((isTerminal: boolean) => string);

export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly parse: Parse<T>;
  /** The text that stands in where none is given; it may depend on whether a person reads standard output. */
  readonly default?: Default;
  /** A secret is never printed, and may be given as a file: `NAME_FILE`. */
  readonly secret?: boolean;
  /** How `config` prints it, where that is not its text, or `***` for a secret. */
  readonly show?: (text: string) => string;
  /** One line for the help. */
  readonly help: string;
}

export function defaultOf(setting: Setting<unknown>, isTerminal: boolean): string | undefined {
  return typeof setting.default === 'function' ? setting.default(isTerminal) : setting.default;
}

export function fault(message: string): ConfigError {
  return new ConfigError([message]);
}

/** Lists all faults, so that they can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `- ${fault}`)].join('\n'));
    this.faults = faults;
  }
}

export type Environment = { readonly [name: string]: string | undefined };

type Settings = { readonly [member: string]: Setting<unknown> };

/** What settings come to. */
export type Values<Given extends Settings> = {
  readonly [member in keyof Given]: ReturnType<Given[member]['parse']>;
};

/** The values of settings, and all that is wrong with them. A faulty one has its default. */
export function readSettings<Given extends Settings>(settings: Given, env: Environment, isTerminal = false) {
  const faults: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const text = defaultOf(setting, isTerminal);
    try {
      const given = readGiven(env, setting) ?? text;
      return given === undefined ? undefined : setting.parse(given, setting.name);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return text === undefined ? undefined : setting.parse(text, setting.name);
    }
  };
  const entries = Object.entries(settings).map(([member, setting]) => [member, read(setting)]);
  const values: Values<Given> = Object.fromEntries(entries);
  return { values, faults };
}

/** What tells by which variables a setting can be given. */
type NamedSetting = Pick<Setting<unknown>, 'name' | 'secret'>;

/** `NAME`, and `NAME_FILE` for a secret. */
export function variablesOf({ name, secret }: NamedSetting): string[] {
  return secret ? [name, `${name}_FILE`] : [name];
}

/** The variable that gives a setting. An empty value is an unset one. */
export function givenBy(env: Environment, setting: NamedSetting): string | undefined {
  return variablesOf(setting).find((variable) => env[variable]);
}

/** The faults quote neither the content of a file nor its path, which may be the secret itself in place of its file. */
export function readGiven(env: Environment, setting: NamedSetting): string | undefined {
  const [name, file = ''] = variablesOf(setting);
  const variable = givenBy(env, setting);
  const text = variable && env[variable];
  if (variable !== file) {
    if (text && env[file]) throw fault(`${name} and ${file} are both set: set one of them.`);
    return text;
  }
  // Editors end a file with a newline.
  const secret = contentOf(text ?? '')?.replace(/\r?\n$/, '');
  if (!secret) throw fault(`${file} takes the path of a file that can be read and is not empty.`);
  return secret;
}

/** Undefined for what cannot be read. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
