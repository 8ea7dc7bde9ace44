// @ts-check
import { compare } from './compare.mjs';
import { listOf, lookups } from './workloads/index.mjs';

/** @typedef {{ powers: number[], place(value: number): number }} Scale */
/** @typedef {{ title: string, points: { size: number, cpuMs: number }[] }} Line */
/** @typedef {{ by: string, sizes: readonly number[], lines: Line[] }} Panel */

const DIMENSIONS = [
  { by: 'rows', sizes: [1, 10, 100, 500, 1_000, 2_000, 5_000], workloadOf: listOf },
  { by: 'connections', sizes: [1, 4, 16, 64], workloadOf: () => lookups(1) },
  { by: 'documents', sizes: [1, 10, 100, 1_000], workloadOf: lookups },
];

const PANEL = { left: 50, width: 240, top: 40, bottom: 280, distance: 290 };
const COLOURS = ['#0b6e4f', '#c8553d', '#3d5a98', '#8a5a9e', '#b8860b', '#555555'];

/**
 * How the processor time of one request grows with the rows that it asks for, with the connections that ask at once for
 * one record, and with the documents that they ask by.
 * @type {(...args: [Parameters<typeof compare>[0], Parameters<typeof compare>[2], Parameters<typeof compare>[3]]) => Promise<Panel[]>}
 */
export async function measureGrowth(servers, surroundings, options) {
  /** @type {Panel[]} */
  const panels = [];
  for (const { by, sizes, workloadOf } of DIMENSIONS) {
    const lines = servers.map(({ title }) => ({ title, points: /** @type {Line['points']} */ ([]) }));
    for (const size of sizes) {
      const sized = by === 'connections' ? { ...options, connections: size } : options;
      const results = await compare(servers, await workloadOf(size), surroundings, sized);
      for (const [index, { cpuMs }] of results.entries()) lines[index]?.points.push({ size, cpuMs });
      const said = results.map(({ server, cpuMs }) => `${server.title} ${cpuMs.toFixed(3)} ms`);
      console.log(`${size} ${by}: ${said.join(', ')}`);
    }
    panels.push({ by, sizes, lines });
  }
  return panels;
}

/** On logarithmic axes: a slope of one means that cost is in proportion. @param {readonly Panel[]} panels */
export function chartOf(panels) {
  const { left, width, top, bottom, distance } = PANEL;
  const titles = panels[0]?.lines.map(({ title }) => title) ?? [];
  const costs = panels.flatMap(({ lines }) =>
    lines.flatMap(({ points }) => points.map(({ cpuMs }) => cpuMs)),
  );
  const y = scaleOf(costs, bottom, top);
  const drawn = panels.map(({ by, sizes, lines }, index) => {
    const x = scaleOf(sizes, left, left + width);
    const columns = x.powers.map((power) => {
      const at = x.place(power);
      return `<path d="M${at} ${top}V${bottom}" stroke="#e2e2e2"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${power}</text>`;
    });
    const rows = y.powers.map((power) => {
      const at = y.place(power);
      return `<path d="M${left} ${at}h${width}" stroke="#e2e2e2"/><text x="${left - 8}" y="${at + 4}" text-anchor="end">${Number(power.toPrecision(1))}</text>`;
    });
    const paths = lines.map(({ points }, line) => {
      const path = points.map(({ size, cpuMs }) => `${x.place(size)} ${y.place(cpuMs)}`).join('L');
      return `<path d="M${path}" fill="none" stroke="${COLOURS[line]}" stroke-width="2"/>`;
    });
    const title = `<text x="${left}" y="24" font-size="13" font-weight="600">CPU in ms, by ${by}</text>`;
    return `<g transform="translate(${index * distance})">\n${[title, ...columns, ...rows, ...paths].join('\n')}\n</g>`;
  });
  const legend = titles.map((title, line) => {
    const at = bottom + 44 + line * 18;
    return `<path d="M${left} ${at}h24" stroke="${COLOURS[line]}" stroke-width="2"/><text x="${left + 32}" y="${at + 4}">${title}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * distance + 20} ${bottom + 50 + titles.length * 18}" font-family="system-ui, sans-serif" font-size="11" role="img">
<title>Processor time of one request in ms, by rows, connections and documents</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...drawn, ...legend].join('\n')}
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
