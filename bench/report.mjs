// @ts-check

/** @typedef {import('./compare.mjs').Result} Result */
/** @typedef {import('./measure.mjs').Measurement} Measurement */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(measurement: Measurement, best: Measurement | undefined, spread: number | null) => string} show
 */

/** @type {readonly Column[]} */
const COLUMNS = [
  { title: 'CPU ms/req', show: ({ cpuMs }) => cpuMs.toFixed(3) },
  {
    title: 'spread',
    show: (_measurement, _best, spread) => (spread === null ? '?' : `${(spread * 100).toFixed(0)} %`),
  },
  { title: '÷ best peer', show: ({ cpuMs }, best) => ratio(cpuMs, best?.cpuMs) },
  { title: 'req/s', show: ({ requestsPerSecond }) => requestsPerSecond.toFixed(0) },
  {
    title: '÷ best peer',
    show: ({ requestsPerSecond }, best) => ratio(requestsPerSecond, best?.requestsPerSecond),
  },
  { title: 'p50 ms', show: ({ p50 }) => p50.toFixed(1) },
  { title: 'p99 ms', show: ({ p99 }) => p99.toFixed(1) },
  { title: 'REST calls/req', show: ({ restCalls }) => restCalls.toFixed(2) },
  { title: 'bytes', show: ({ bytes }) => bytes.toFixed(0) },
  { title: 'peak MB', show: ({ peakMb }) => peakMb.toFixed(0) },
];

/**
 * @param {Workload} workload
 * @param {readonly Result[]} results
 */
export function tableOf({ key, title }, results) {
  const best = bestPeer(results)?.measurement;
  const rows = results.map(({ server, measurement, spread }) => [
    server.title,
    ...COLUMNS.map(({ show }) => show(measurement, best, spread)),
  ]);
  return `\n${key}: ${title}\n${align([['', ...COLUMNS.map((column) => column.title)], ...rows])}`;
}

/**
 * The GraphQL server that needs the least of the processor; the bare proxy is no GraphQL server.
 * @param {readonly Result[]} results
 */
export function bestPeer(results) {
  const peers = results.filter(({ server }) => server.kind === 'peer');
  return peers.sort((a, b) => a.measurement.cpuMs - b.measurement.cpuMs)[0];
}

/**
 * The measurements as plain data, for a file.
 * @param {Workload} workload
 * @param {readonly Result[]} results
 */
export function dataOf({ key, title }, results) {
  return {
    key,
    title,
    bestPeer: bestPeer(results)?.server.key ?? null,
    servers: Object.fromEntries(
      results.map(({ server, measurement, spread }) => [server.key, { ...measurement, spread }]),
    ),
  };
}

/**
 * @param {number} value
 * @param {number | undefined} best
 */
function ratio(value, best) {
  return best === undefined ? '' : (value / best).toFixed(2);
}

/** @param {readonly string[][]} rows */
function align(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
