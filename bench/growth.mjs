// @ts-check
import { compare } from './compare.mjs';
import { listOf } from './workloads/index.mjs';

/** @typedef {{ powers: number[], place(value: number): number }} Scale */
/** @typedef {{ title: string, points: { rows: number, cpuMs: number }[] }} Line */

const SIZES = [1, 10, 100, 500, 1_000, 2_000, 5_000];
const PLOT = { left: 60, right: 560, top: 40, bottom: 300 };
const COLOURS = ['#0b6e4f', '#c8553d', '#3d5a98', '#8a5a9e', '#b8860b', '#555555'];

/**
 * How the processor time of one request grows with the rows that it asks for.
 * @type {(...args: [Parameters<typeof compare>[0], Parameters<typeof compare>[2], Parameters<typeof compare>[3]]) => Promise<Line[]>}
 */
export async function measureGrowth(servers, surroundings, options) {
  /** @type {Line[]} */
  const lines = servers.map(({ title }) => ({ title, points: [] }));
  for (const rows of SIZES) {
    const results = await compare(servers, await listOf(rows), surroundings, options);
    for (const [index, { cpuMs }] of results.entries()) lines[index]?.points.push({ rows, cpuMs });
    console.log(
      `${rows} rows: ${results.map(({ server, cpuMs }) => `${server.title} ${cpuMs.toFixed(3)} ms`).join(', ')}`,
    );
  }
  return lines;
}

/** On logarithmic axes: a slope of one means that cost is in proportion. @param {readonly Line[]} lines */
export function chartOf(lines) {
  const costs = lines.flatMap(({ points }) => points.map(({ cpuMs }) => cpuMs));
  const { left, right, top, bottom } = PLOT;
  const x = scaleOf(SIZES, left, right);
  const y = scaleOf(costs, bottom, top);
  const columns = x.powers.map(
    (power) =>
      `<path d="M${x.place(power)} ${top}V${bottom}" stroke="#e2e2e2"/><text x="${x.place(power)}" y="${bottom + 18}" text-anchor="middle">${power}</text>`,
  );
  const rows = y.powers.map(
    (power) =>
      `<path d="M${left} ${y.place(power)}H${right}" stroke="#e2e2e2"/><text x="${left - 8}" y="${y.place(power) + 4}" text-anchor="end">${Number(power.toPrecision(1))}</text>`,
  );
  const drawn = lines.map((line, index) => {
    const path = line.points.map((point) => `${x.place(point.rows)} ${y.place(point.cpuMs)}`).join('L');
    const colour = COLOURS[index % COLOURS.length];
    const legend = bottom + 44 + index * 18;
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/><path d="M${left} ${legend}h24" stroke="${colour}" stroke-width="2"/><text x="${left + 32}" y="${legend + 4}">${line.title}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 ${bottom + 50 + lines.length * 18}" font-family="system-ui, sans-serif" font-size="11" role="img">
<title>Processor time of one request, by rows</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${left}" y="24" font-size="13" font-weight="600">Processor time of one request in ms, by rows</text>
${[...columns, ...rows, ...drawn].join('\n')}
</svg>
`;
}

/** Whole powers of ten around the values. @type {(values: readonly number[], from: number, to: number) => Scale} */
function scaleOf(values, from, to) {
  const min = Math.floor(Math.log10(Math.min(...values)));
  const max = Math.max(min + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    powers: Array.from({ length: max - min + 1 }, (_, index) => 10 ** (min + index)),
    place: (value) => Math.round(from + ((Math.log10(value) - min) / (max - min)) * (to - from)),
  };
}
