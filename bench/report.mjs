// @ts-check

/** @typedef {import('./compare.mjs').Result} Result */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/** @typedef {{ title: string, show(result: Result): string }} Column */

/** @type {readonly Column[]} */
const COLUMNS = [
  { title: 'CPU ms/req', show: ({ measurement }) => measurement.cpuMs.toFixed(3) },
  { title: '÷ Mercurius', show: ({ ratio }) => (Number.isNaN(ratio) ? '' : ratio.toFixed(2)) },
  { title: 'spread', show: ({ spread }) => (spread === null ? '?' : `${(spread * 100).toFixed(0)} %`) },
  { title: 'REST calls/req', show: ({ measurement }) => measurement.restCalls.toFixed(2) },
  { title: 'bytes', show: ({ measurement }) => measurement.bytes.toFixed(0) },
  { title: 'peak MB', show: ({ measurement }) => measurement.peakMb.toFixed(0) },
];

/**
 * @param {Workload} workload
 * @param {readonly Result[]} results
 */
export function tableOf({ key, title }, results) {
  const rows = results.map((result) => [result.server.title, ...COLUMNS.map(({ show }) => show(result))]);
  return `\n${key}: ${title}\n${align([['', ...COLUMNS.map((column) => column.title)], ...rows])}`;
}

/**
 * The measurements as plain data, for a file.
 * @param {Workload} workload
 * @param {readonly Result[]} results
 */
export function dataOf({ key, title }, results) {
  const servers = results.map(({ server, measurement, ratio, spread }) => [
    server.key,
    { ...measurement, ratio, spread },
  ]);
  return { key, title, servers: Object.fromEntries(servers) };
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
