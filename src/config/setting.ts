import { readFileSync } from 'node:fs';

export type Parse<T> = (text: string, name: string) => T;

/** One default, or two: for machines, and for a person who reads standard output. */
export type Default = string | readonly [machine: string, person: string];

export interface Setting<T> {
  readonly name: string;
  readonly parse: Parse<T>;
  readonly default?: Default;
  /** A secret is never printed, and may be given as a file: `NAME_FILE`. */
  readonly secret?: boolean;
  /** Whether the name works in lower case too, which then wins, as in other tools. */
  readonly anyCase?: boolean;
  /** Formats the value for `config`; by default its text, or `***` for a secret. */
  readonly show?: (text: string) => string;
  readonly help: string;
}

export function getDefault({ default: value }: Setting<unknown>, isTerminal: boolean): string | undefined {
  return typeof value === 'object' ? value[isTerminal ? 1 : 0] : value;
}

export function invalidSetting(message: string): ConfigError {
  return new ConfigError([message]);
}

/** Lists all problems, so that operators can fix them at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(['The configuration is invalid:', ...faults.map((problem) => `- ${problem}`)].join('\n'));
  }
}

export type Environment = { readonly [name: string]: string | undefined };

type NamedSetting = Pick<Setting<unknown>, 'name' | 'secret' | 'anyCase'>;

export function getVariables({ name, secret, anyCase }: NamedSetting): string[] {
  return [...(anyCase ? [name.toLowerCase()] : []), name, ...(secret ? [`${name}_FILE`] : [])];
}

/** Returns the variable that sets it. An empty value counts as unset. */
export function findVariable(env: Environment, setting: NamedSetting): string | undefined {
  return getVariables(setting).find((variable) => env[variable]);
}

/** Errors quote neither a file's content nor its path, since the path may be a secret that was set by mistake. */
export function readSetting(env: Environment, setting: NamedSetting): string | undefined {
  const { name, secret: isSecret } = setting;
  const file = isSecret ? `${name}_FILE` : '';
  const variable = findVariable(env, setting);
  const text = variable && env[variable];
  if (variable !== file) {
    if (text && env[file]) throw invalidSetting(`${name} and ${file} are both set: set one of them.`);
    return text;
  }
  const secret = tryReadFile(text ?? '')?.replace(/\r?\n$/, '');
  if (!secret) throw invalidSetting(`${file} takes the path of a file that can be read and is not empty.`);
  return secret;
}

export function tryReadFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
