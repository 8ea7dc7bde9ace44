import { isAbsolute } from 'node:path';
import type { Resource } from '../rest/resource.ts';

/** What a setting may depend on besides its own text. */
export interface Surroundings {
  readonly resources: readonly Resource[];
  /** Whether standard output is a terminal, at which a person reads. */
  readonly isTerminal: boolean;
  /** How many processes can run at the same time. */
  readonly processors: number;
}

/** Throws a ConfigError for a text that the setting does not take. */
export type Parse<T> = (text: string, name: string, surroundings: Surroundings) => T;

type Default = string | ((surroundings: Surroundings) => string);

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

/** What does not look like a path may be the secret itself, in place of its file. */
export function quotePath(path: string): string {
  const isPath = isAbsolute(path) || path.startsWith('.') || /\.\w{1,5}$/.test(path);
  return isPath ? JSON.stringify(path) : quote(path);
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
