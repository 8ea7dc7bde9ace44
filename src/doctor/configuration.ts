import { type Config, ConfigError, readConfig } from '../config.ts';
import { type MemoryLimits, memoryLimits } from '../limits/memory-limits.ts';
import type { Resource } from '../rest/resource.ts';
import { type Finding, failed, passed, warned } from './finding.ts';

/** Reads the configuration as the gateway does; without one, the findings are its faults. */
export function checkConfiguration(
  env: NodeJS.ProcessEnv,
  resources: readonly Resource[],
): { readonly config?: Config; readonly findings: readonly Finding[] } {
  try {
    const config = readConfig(env, resources);
    const found = config.restUrl
      ? `REST_URL is ${config.restUrl.href}`
      : 'REST_URL is not set: the embedded service is checked, to show what this does';
    return { config, findings: [passed('configuration', found), checkMemory(config, memoryLimits())] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.faults.map((fault) => failed('configuration', fault)) };
  }
}

/** Whether the largest answer that may be asked for fits beside others into the memory that all of them share. */
export function checkMemory({ maxAnswerBytes, maxObjects }: Config, limits: MemoryLimits): Finding {
  const room = Math.min(limits.operationBytes, limits.unsentBytes);
  const answer = `an answer may have ${megabytes(maxAnswerBytes)} and ${maxObjects} objects`;
  const found = `${answer}; together they have ${megabytes(room)}`;
  if (2 * maxAnswerBytes <= room) return passed('memory', found);
  return warned('memory', found, 'Set a smaller MAX_ANSWER_BYTES, or a larger heap by --max-old-space-size.');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
