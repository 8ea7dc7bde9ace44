// @ts-check
import { join, resolve } from 'node:path';
import { SERVER_CORE, SURROUNDINGS_CORE, startNode, startServer } from './processes.mjs';

/**
 * A server that can be started. Without a cache of its own, it makes exactly the REST calls of a workload.
 * @typedef {{ key: string, title: string, script: string, env?: Record<string, string>, hasCache?: boolean }} Server
 */
/** @typedef {Server & import('./processes.mjs').Running} RunningServer */
/** @typedef {Awaited<ReturnType<typeof startSurroundings>>} Surroundings */

/** The server with which the others are compared. */
export const REFERENCE = 'yoga';

/** The flag of `npm start`. All servers get it: it makes the others faster too. */
const NODE_ARGS = ['--max-semi-space-size=64', '--import', new URL('probe.mjs', import.meta.url).href];

/** One caller. Any token will do for the simulator, but each server has to pass it on. */
export const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer bench-token' };

/** This build, those in other checkouts, and the peers, which neither log nor count. @type {(also: readonly string[]) => Server[]} */
export function serversOf(also) {
  const uncached = { CACHE_TTL_MS: '0', LOG: 'off', METRICS: 'off' };
  // Longer than the turns of the others take.
  const cached = { ...uncached, CACHE_TTL_MS: '600000' };
  const observed = { ...uncached, LOG: 'operations', METRICS: 'on' };
  const script = pathOf('../dist/main.js');
  return [
    { key: 'ours', title: 'this build', script, env: uncached },
    ...also.map((folder) => ({
      key: folder,
      title: `build in ${folder}`,
      script: resolve(folder, 'dist/main.js'),
      env: uncached,
    })),
    { key: 'cached', title: 'this build, cache on', script, env: cached, hasCache: true },
    { key: 'observed', title: 'this build, log and metrics', script, env: observed },
    { key: REFERENCE, title: 'Yoga 5, tuned, jit', script: pathOf('peers/yoga.mjs') },
    { key: 'mercurius', title: 'Mercurius, jit', script: pathOf('peers/mercurius.mjs') },
  ];
}

/** The REST service that all servers ask, and the load. */
export async function startSurroundings() {
  const core = SURROUNDINGS_CORE;
  const args = [pathOf('rest-simulator/main.mjs')];
  const rest = await startServer({ name: 'the REST simulator', args, core });
  const load = startNode({ name: 'the load', args: [pathOf('load.mjs')], core });
  return {
    rest: rest.origin,
    load: (/** @type {import('./load.mjs').Job} */ job) =>
      /** @type {Promise<import('./load.mjs').Outcome>} */ (load.ask(job)),
    /** How many REST calls there have been. */
    async countCalls() {
      const response = await fetch(`${rest.origin}/calls`);
      return Number((await response.json()).calls);
    },
  };
}

/** @type {(server: Server, surroundings: Surroundings) => Promise<RunningServer>} */
export async function start(server, { rest }) {
  const running = await startServer({
    name: server.title,
    args: [...NODE_ARGS, server.script],
    core: SERVER_CORE,
    env: { ...server.env, REST_URL: rest, PORT: '0' },
  });
  return { ...server, ...running };
}

/** @param {string} path */
function pathOf(path) {
  return join(import.meta.dirname, path);
}
