import { ConfigError } from '../../src/config/index.ts';

/** What is wrong with a configuration that is read. */
export function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}
