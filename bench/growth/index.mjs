// @ts-check
import { compare } from '../compare.mjs';
import { listOf } from '../workloads/index.mjs';

/** @typedef {import('../servers.mjs').RunningServer} RunningServer */
/** @typedef {import('../workloads/index.mjs').Workload} Workload */
/** @typedef {{ x: number, cpuMs: number }} Point */
/** @typedef {{ title: string, lines: { title: string, kind: string, points: Point[] }[] }} Panel */

/** @typedef {{ workload: Workload, connections?: number, documents?: number }} Setting */
/** @typedef {{ title: string, sizes: readonly number[], at(size: number): Setting }} Dimension */

/** @type {readonly Dimension[]} */
const DIMENSIONS = [
  {
    title: 'rows asked for',
    sizes: [1, 10, 100, 500, 1_000, 2_000, 5_000, 10_000],
    at: (rows) => ({ workload: listOf(rows) }),
  },
  {
    title: 'connections at once (100 rows)',
    sizes: [1, 4, 16, 64, 256],
    at: (connections) => ({ workload: listOf(100), connections }),
  },
  {
    title: 'distinct documents (1 row)',
    sizes: [1, 10, 100, 1_000, 10_000],
    at: (documents) => ({ workload: listOf(1), documents }),
  },
];

/**
 * How the processor time of one request grows, a dimension at a time.
 * @param {readonly RunningServer[]} servers
 * @param {{ rounds: number, seconds: number }} options
 * @returns {Promise<Panel[]>}
 */
export async function measureGrowth(servers, { rounds, seconds }) {
  const panels = [];
  for (const { title, sizes, at } of DIMENSIONS) {
    console.log(`\nCPU ms for one request, by ${title}`);
    const lines = servers.map((server) => ({
      title: server.title,
      kind: server.kind,
      points: /** @type {Point[]} */ ([]),
    }));
    for (const size of sizes) {
      const { workload, ...pressure } = at(size);
      const results = await compare(servers, workload, { rounds, seconds, ...pressure });
      for (const [index, { measurement }] of results.entries()) {
        lines[index]?.points.push({ x: size, cpuMs: measurement.cpuMs });
      }
      console.log(rowOf(size, results));
    }
    panels.push({ title, lines });
  }
  return panels;
}

/**
 * @param {number} size
 * @param {readonly import('../compare.mjs').Result[]} results
 */
function rowOf(size, results) {
  const cells = results.map(
    ({ server, measurement }) => `${server.title} ${measurement.cpuMs.toFixed(3).padStart(9)}`,
  );
  return [size.toLocaleString('en').padStart(8), ...cells].join('   ');
}
