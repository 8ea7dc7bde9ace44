import { type Config, ConfigError, readConfig } from '../config.ts';
import type { Resource } from '../rest/resource.ts';
import { type Finding, failed, passed } from './finding.ts';

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
    return { config, findings: [passed('configuration', found)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.faults.map((fault) => failed('configuration', fault)) };
  }
}
