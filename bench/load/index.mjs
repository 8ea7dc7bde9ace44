// @ts-check
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SURROUNDINGS_CORE, startNode } from '../processes.mjs';

/** @typedef {import('./generator.mjs').Job} Job */
/** @typedef {import('./generator.mjs').Outcome} Outcome */

/**
 * Starts the process that makes the load; it runs one job at a time.
 * @param {boolean} isPinned
 */
export function startLoad(isPinned = true) {
  const child = startNode(
    {
      name: 'the load generator',
      args: [fileURLToPath(new URL('generator.mjs', import.meta.url))],
      ...(isPinned && { core: SURROUNDINGS_CORE }),
    },
    ['ignore', 'inherit', 'inherit', 'ipc'],
  );
  /**
   * @param {Job} job
   * @returns {Promise<Outcome>}
   */
  return async (job) => {
    child.send(job);
    const [outcome] = await once(child, 'message');
    return outcome;
  };
}
