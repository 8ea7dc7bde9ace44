import { readFileSync } from 'node:fs';
import {
  ConfigError,
  defaultText,
  fault,
  quotePath,
  type Setting,
  type SettingWithDefault,
  type Surroundings,
} from './setting.ts';

export type Environment = { readonly [name: string]: string | undefined };

type Settings = { readonly [member: string]: Setting<unknown> };

/** What settings come to. */
type Values<Given extends Settings> = {
  readonly [member in keyof Given]: Given[member] extends SettingWithDefault<infer T>
    ? T
    : ReturnType<Given[member]['parse']> | undefined;
};

const MAX_FILE_BYTES = 64_000;

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

/** `NAME`, and `NAME_FILE` for a secret. */
export function variablesOf({ name, secret }: NamedSetting): string[] {
  return secret ? [name, fileVariable(name)] : [name];
}

/** The variable that gives a setting. An empty value is an unset one. */
export function givenBy(env: Environment, setting: NamedSetting): string | undefined {
  return variablesOf(setting).find((variable) => env[variable]);
}

export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

function readGiven(env: Environment, setting: NamedSetting): string | undefined {
  const { name } = setting;
  const variable = givenBy(env, setting);
  if (variable === undefined) return undefined;
  const text = env[variable] ?? '';
  const file = fileVariable(name);
  if (variable === file) return readSecretFile(variable, text);
  if (setting.secret && env[file]) throw fault(`${name} and ${file} are both set: set one of them.`);
  return text;
}

/** The faults never quote the content. */
function readSecretFile(variable: string, path: string): string {
  const secret = readSmallFile(path)?.replace(/\r?\n$/, '');
  if (secret) return secret;
  const problem =
    secret === '' ? 'is empty' : `is not a file of at most ${MAX_FILE_BYTES / 1_000} kB that can be read`;
  throw fault(`${variable}: ${quotePath(path)} ${problem}.`);
}

/** Undefined for what cannot be read, and for what is too large to be a secret. */
function readSmallFile(path: string): string | undefined {
  try {
    const content = readFileSync(path);
    return content.length <= MAX_FILE_BYTES ? content.toString() : undefined;
  } catch {
    return undefined;
  }
}
