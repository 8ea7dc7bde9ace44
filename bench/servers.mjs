// @ts-check
import { fileURLToPath } from 'node:url';
import { startLoad } from './load/index.mjs';
import { GATEWAY_CORE, SURROUNDINGS_CORE, startServer } from './processes.mjs';

/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {import('./processes.mjs').Running} Running */
/** @typedef {{ method: string, path: string, body: string, headers?: Record<string, string> }} Request */

/**
 * A server as the bench sees it. `ask` says how to put a workload to it, or undefined where it cannot
 * answer; `read` gives the answer in the shape that all are compared in.
 * @typedef {object} Server
 * @property {string} key
 * @property {string} title
 * @property {'ours' | 'peer' | 'floor'} kind
 * @property {string} script
 * @property {Record<string, string>} [env]
 * @property {(workload: Workload) => Request | undefined} ask
 * @property {(workload: Workload, answer: any) => unknown} read
 */

/** @typedef {(job: import('./load/generator.mjs').Job) => Promise<import('./load/generator.mjs').Outcome>} Load */
/** @typedef {Server & Running & { rest: string, load: Load }} RunningServer A server, its REST service and its load. */

const asGraphql = {
  ask: (/** @type {Workload} */ { graphql }) => post(graphql),
  read: (/** @type {Workload} */ _workload, /** @type {any} */ answer) => dataOf(answer),
};

/** The leanest of the peers, which the others are compared with. */
export const REFERENCE = 'mercurius';

/** As `npm start` has it. All of them get it: it makes the others faster too. */
const NODE_ARGS = ['--max-semi-space-size=64'];

/** The peers neither log nor count. */
const UNOBSERVED = { LOG: 'off', METRICS: 'off' };

/** @type {readonly Server[]} */
export const servers = [
  {
    key: 'ours',
    title: 'this gateway, cache off',
    kind: 'ours',
    script: '../dist/main.js',
    env: { CACHE_TTL_MS: '0', ...UNOBSERVED },
    ...asGraphql,
  },
  {
    key: 'observed',
    title: 'this gateway, cache off, with log and metrics',
    kind: 'ours',
    script: '../dist/main.js',
    env: { CACHE_TTL_MS: '0', LOG: 'operations', METRICS: 'on' },
    ...asGraphql,
  },
  {
    key: 'cached',
    title: 'this gateway, cache on',
    kind: 'ours',
    script: '../dist/main.js',
    env: { CACHE_TTL_MS: '5000', ...UNOBSERVED },
    ...asGraphql,
  },
  { key: 'mercurius', title: 'Mercurius, jit', kind: 'peer', script: 'peers/mercurius.mjs', ...asGraphql },
  { key: 'yoga', title: 'Yoga 5, tuned, jit', kind: 'peer', script: 'peers/yoga.mjs', ...asGraphql },
  { key: 'apollo', title: 'Apollo Server 5', kind: 'peer', script: 'peers/apollo.mjs', ...asGraphql },
  {
    key: 'hive',
    title: 'Hive Gateway 2, OpenAPI',
    kind: 'peer',
    script: 'peers/hive.mjs',
    ask: ({ mesh }) => mesh && post({ body: JSON.stringify({ query: mesh.query }) }),
    read: ({ mesh }, answer) => mesh?.data(dataOf(answer)),
  },
  {
    key: 'projection',
    title: 'projection by hand',
    kind: 'floor',
    script: 'peers/projection.mjs',
    ask: ({ key, graphql }) => (['W1', 'W2'].includes(key) ? post(graphql) : undefined),
    read: (_workload, answer) => dataOf(answer),
  },
  {
    key: 'proxy',
    title: 'bare HTTP proxy',
    kind: 'floor',
    script: 'peers/proxy.mjs',
    ask: ({ rest }) => rest && { method: 'GET', path: rest.path, body: '' },
    read: ({ rest }, answer) => rest?.data(answer),
  },
  {
    key: 'bare',
    title: 'bare node:http, no REST',
    kind: 'floor',
    script: 'peers/bare.mjs',
    ask: ({ key, graphql }) => (key.startsWith('W4') ? post(graphql) : undefined),
    // It knows no data: what is compared is nothing.
    read: () => undefined,
  },
];

/** Any token will do for the simulator, but each gateway has to pass it on. */
export const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer bench-token' };

/**
 * @param {number} latencyMs
 * @param {boolean} isPinned
 */
export function startSimulator(latencyMs, isPinned) {
  return startServer({
    name: 'the REST simulator',
    args: [pathOf('rest-simulator/main.mjs'), '--latency', String(latencyMs)],
    ...(isPinned && { core: SURROUNDINGS_CORE }),
  });
}

/**
 * Each server has a REST service and a load of its own, so that all can be measured at the same time.
 * @param {Server} server
 * @param {number} latencyMs of the REST service
 * @param {{ isPinned?: boolean }} [options]
 * @returns {Promise<RunningServer>}
 */
export async function startGateway(server, latencyMs, { isPinned = true } = {}) {
  const { origin: rest } = await startSimulator(latencyMs, isPinned);
  const running = await startServer({
    name: server.title,
    args: [...NODE_ARGS, pathOf(server.script)],
    ...(isPinned && { core: GATEWAY_CORE }),
    env: { ...server.env, REST_URL: rest, PORT: '0' },
  });
  return { ...server, ...running, rest, load: startLoad(isPinned) };
}

/** @param {string} path */
function pathOf(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * @param {import('./workloads/index.mjs').GraphqlRequest} request
 * @returns {Request}
 */
function post(request) {
  return { method: 'POST', path: '/graphql', ...request };
}

/** @param {{ data?: unknown, errors?: unknown }} answer */
function dataOf({ data, errors }) {
  if (errors) throw new Error(`GraphQL errors: ${JSON.stringify(errors).slice(0, 500)}`);
  return data;
}
