import { readFileSync } from 'node:fs';
import type { Resource } from '../rest/resource.ts';

/** What a setting may depend on besides its own text. */
export interface Surroundings {
  readonly resources: readonly Resource[];
  /** Whether standard output is a terminal, at which a person reads. */
  readonly isTerminal: boolean;
}

/** Throws a ConfigError for a text that the setting does not take. */
export type Parse<T> = (text: string, name: string, surroundings: Surroundings) => T;

export type Default = string | ((surroundings: Surroundings) => string);

export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly parse: Parse<T>;
  /** The text that stands in where none is given. */
  readonly default?: Default;
  /** A secret is never printed, and may be given as a file: `NAME_FILE`. */
  readonly secret?: boolean;
  /** How `config` prints the value, where that is not its text, or `***` for a secret. */
  show?(value: T): string;
  /** One line for the help. */
  readonly help: string;
}

export interface SettingWithDefault<T> extends Setting<T> {
  readonly default: Default;
}

export function defaultText(text: Default, surroundings: Surroundings): string {
  return typeof text === 'string' ? text : text(surroundings);
}

/** A number, a switch or a choice is short; anything longer may be a secret that was put into the wrong variable. */
const MAX_QUOTED = 16;

/** A wrong value as it may stand in a message. */
export function quote(text: string): string {
  return text.length <= MAX_QUOTED ? JSON.stringify(text) : `a text of ${text.length} characters`;
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
  readonly [member in keyof Given]: Given[member] extends SettingWithDefault<infer T>
    ? T
    : ReturnType<Given[member]['parse']> | undefined;
};

/** Reads settings, and gathers what is wrong with them. */
export class SettingReader {
  /** Other faults may be added. */
  readonly faults: string[] = [];
  readonly #env: Environment;
  readonly #surroundings: Surroundings;

  constructor(env: Environment, surroundings: Surroundings) {
    this.#env = env;
    this.#surroundings = surroundings;
  }

  values<Given extends Settings>(settings: Given): Values<Given> {
    const values = Object.entries(settings).map(([member, setting]) => [member, this.value(setting)]);
    return Object.fromEntries(values);
  }

  /** The default if the setting is not given, and if it is faulty; undefined if it has none. */
  value<T>(setting: Setting<T>): T | undefined {
    const parse = (text: string) => setting.parse(text, setting.name, this.#surroundings);
    try {
      const text = readGiven(this.#env, setting);
      if (text !== undefined) return parse(text);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.faults.push(...error.faults);
    }
    return setting.default === undefined
      ? undefined
      : parse(defaultText(setting.default, this.#surroundings));
  }

  /** Whether it is given, right or wrong. */
  isGiven(setting: NamedSetting): boolean {
    return givenBy(this.#env, setting) !== undefined;
  }

  /** Throws what is wrong with any setting. */
  checked<T>(result: T): T {
    if (this.faults.length > 0) throw new ConfigError(this.faults);
    return result;
  }
}

/** What tells by which variables a setting can be given. */
type NamedSetting = Pick<Setting<unknown>, 'name' | 'secret'>;

export const fileVariable = (name: string) => `${name}_FILE`;

/** `NAME`, and `NAME_FILE` for a secret. */
export function variablesOf({ name, secret }: NamedSetting): string[] {
  return secret ? [name, fileVariable(name)] : [name];
}

/** The variable that gives a setting. An empty value is an unset one. */
export function givenBy(env: Environment, setting: NamedSetting): string | undefined {
  return variablesOf(setting).find((variable) => env[variable]);
}

const MAX_SECRET_BYTES = 64_000;

/** The faults quote neither the content of a file nor its path, which may be the secret itself in place of its file. */
function readGiven(env: Environment, setting: NamedSetting): string | undefined {
  const [name, file = ''] = variablesOf(setting);
  const variable = givenBy(env, setting);
  const text = variable && env[variable];
  if (variable !== file) {
    if (text && env[file]) throw fault(`${name} and ${file} are both set: set one of them.`);
    return text;
  }
  const content = contentOf(text ?? '');
  if (content === undefined || content.length > MAX_SECRET_BYTES)
    throw fault(
      `${file} takes the path of a file of at most ${MAX_SECRET_BYTES / 1_000} kB that can be read.`,
    );
  const secret = content.toString().replace(/\r?\n$/, '');
  if (secret === '') throw fault(`${file}: the file is empty.`);
  return secret;
}

/** Undefined for what cannot be read. */
export function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
