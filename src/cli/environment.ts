import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from '../config/index.ts';
import { UsageError } from './usage-error.ts';

export interface LoadedEnvironment {
  readonly env: Environment;
  /** The file that a variable comes from; absent for those of the real environment. */
  readonly files: ReadonlyMap<string, string>;
}

/** Adds the variables of files to those of the process, which win; a later file wins over an earlier one. */
export function mergeEnvironment(real: Environment, paths: readonly string[]): LoadedEnvironment {
  const env: Record<string, string | undefined> = { ...real };
  const files = new Map<string, string>();
  for (const path of paths) {
    for (const [name, value] of Object.entries(readEnvFile(path))) {
      if (real[name] !== undefined) continue;
      env[name] = value;
      files.set(name, path);
    }
  }
  return { env, files };
}

/** Libraries and terminals look these up in the environment of the process, when they are used. */
const FOR_OTHERS = /^(OTEL_.*|NO_COLOR)$/;

/**
 * The settings of files stay out of the environment of the process, where child processes and crash reports would get
 * their secrets. What is not ours to read goes there.
 */
export function loadEnvironment(real: Environment, paths: readonly string[]): LoadedEnvironment {
  const loaded = mergeEnvironment(real, paths);
  for (const name of loaded.files.keys()) {
    if (FOR_OTHERS.test(name)) process.env[name] = loaded.env[name];
  }
  return loaded;
}

/** Node itself looks for --env-file among all arguments, and may end with status 9 before this is reached. */
function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(`The file '${path}' of --env-file cannot be read`);
  }
}
