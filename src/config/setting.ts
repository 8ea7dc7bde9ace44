import { readFileSync } from 'node:fs';

/** Throws a ConfigError for a text that the setting does not take. */
export type Parse<T> = (text: string, name: string) => T;

/** A text, or one for a machine and one for a person who reads standard output. */
export type Default = string | readonly [machine: string, person: string];

export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly parse: Parse<T>;
  /** Stands in where none is given. */
  readonly default?: Default;
  /** A secret is never printed, and may be given as a file: `NAME_FILE`. */
  readonly secret?: boolean;
  /** Whether it may be given in lower case too, as other tools read it. That one wins, as with those. */
  readonly anyCase?: boolean;
  /** How `config` prints it, where that is not its text, or `***` for a secret. */
  readonly show?: (text: string) => string;
  /** One line for the help. */
  readonly help: string;
}

export function defaultOf({ default: given }: Setting<unknown>, isTerminal: boolean): string | undefined {
  return typeof given === 'object' ? given[isTerminal ? 1 : 0] : given;
}

export function invalidSetting(message: string): ConfigError {
  return new ConfigError([message]);
}

/** Lists all faults, so that they can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(
      ['The configuration cannot be used:', ...faults.map((invalidSetting) => `- ${invalidSetting}`)].join(
        '\n',
      ),
    );
  }
}

export type Environment = { readonly [name: string]: string | undefined };

/** What tells by which variables a setting can be given. */
type NamedSetting = Pick<Setting<unknown>, 'name' | 'secret' | 'anyCase'>;

/** `NAME`, `name` where other tools read that too, and `NAME_FILE` for a secret. */
export function variablesOf({ name, secret, anyCase }: NamedSetting): string[] {
  return [...(anyCase ? [name.toLowerCase()] : []), name, ...(secret ? [`${name}_FILE`] : [])];
}

/** The variable that gives a setting. An empty value is an unset one. */
export function givenBy(env: Environment, setting: NamedSetting): string | undefined {
  return variablesOf(setting).find((variable) => env[variable]);
}

/** The faults quote neither the content of a file nor its path, which may be the secret itself in place of its file. */
export function readGiven(env: Environment, setting: NamedSetting): string | undefined {
  const { name, secret: isSecret } = setting;
  const file = isSecret ? `${name}_FILE` : '';
  const variable = givenBy(env, setting);
  const text = variable && env[variable];
  if (variable !== file) {
    if (text && env[file]) throw invalidSetting(`${name} and ${file} are both set: set one of them.`);
    return text;
  }
  // Editors end a file with a newline.
  const secret = contentOf(text ?? '')?.replace(/\r?\n$/, '');
  if (!secret) throw invalidSetting(`${file} takes the path of a file that can be read and is not empty.`);
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
