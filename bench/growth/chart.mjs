// @ts-check

/** @typedef {import('./index.mjs').Panel} Panel */
/** @typedef {Panel['lines'][number]} Line */
/** @typedef {{ min: number, max: number, from: number, to: number }} Scale Of powers of ten. */

const WIDTH = 360;
const HEIGHT = 300;
const PLOT = { left: 56, right: 324, top: 40, bottom: 248 };
const LEGEND_HEIGHT = 36;
const COLOURS = ['#0b6e4f', '#c8553d', '#3d5a98', '#8a5a9e', '#b8860b', '#4a7c8c', '#555555'];

/**
 * One chart of all panels, on logarithmic axes: a straight slope of one means that cost is in proportion.
 * @param {readonly Panel[]} panels
 */
export function chartOf(panels) {
  const width = WIDTH * panels.length;
  const height = HEIGHT + LEGEND_HEIGHT;
  const costs = panels.flatMap(({ lines }) =>
    lines.flatMap(({ points }) => points.map(({ cpuMs }) => cpuMs)),
  );
  // One scale of cost for all panels, so that they can be read beside each other.
  const y = scaleOf(costs, PLOT.bottom, PLOT.top);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11" role="img">
<title>Processor time of one request, as rows, connections and documents grow</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${panels.map((panel, index) => drawPanel(panel, index * WIDTH, y)).join('\n')}
${drawLegend(panels[0]?.lines ?? [])}
</svg>
`;
}

/**
 * @param {Panel} panel
 * @param {number} left
 * @param {Scale} y
 */
function drawPanel({ title, lines }, left, y) {
  const sizes = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const x = scaleOf(sizes, PLOT.left, PLOT.right);
  return `<g transform="translate(${left} 0)">
<text x="${PLOT.left}" y="24" font-size="13" font-weight="600" fill="#222222">CPU ms by ${title}</text>
${powersOf(y)
  .map((power) => drawRow(power, place(y, power)))
  .join('\n')}
${powersOf(x)
  .map((power) => drawColumn(power, place(x, power)))
  .join('\n')}
${lines.map((line, index) => drawLine(line, colourOf(index), x, y)).join('\n')}
</g>`;
}

/**
 * @param {number} value
 * @param {number} y
 */
function drawRow(value, y) {
  return `<path d="M${PLOT.left} ${y}H${PLOT.right}" stroke="#e2e2e2"/><text x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end" fill="#555555">${label(value)}</text>`;
}

/**
 * @param {number} value
 * @param {number} x
 */
function drawColumn(value, x) {
  return `<path d="M${x} ${PLOT.top}V${PLOT.bottom}" stroke="#e2e2e2"/><text x="${x}" y="${PLOT.bottom + 18}" text-anchor="middle" fill="#555555">${label(value)}</text>`;
}

/**
 * @param {Line} line
 * @param {string} colour
 * @param {Scale} x
 * @param {Scale} y
 */
function drawLine({ points }, colour, x, y) {
  const places = points.map((point) => ({ x: place(x, point.x), y: place(y, point.cpuMs), point }));
  const path = places.map((at, index) => `${index === 0 ? 'M' : 'L'}${at.x} ${at.y}`).join('');
  const dots = places.map(
    (at) =>
      `<circle cx="${at.x}" cy="${at.y}" r="3" fill="${colour}"><title>${label(at.point.x)}: ${at.point.cpuMs.toFixed(3)} ms</title></circle>`,
  );
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`;
}

/** @param {readonly Line[]} lines */
function drawLegend(lines) {
  return lines
    .map(({ title }, index) => {
      const x = PLOT.left + index * 220;
      return `<path d="M${x} ${HEIGHT + 4}h24" stroke="${colourOf(index)}" stroke-width="2"/><text x="${x + 32}" y="${HEIGHT + 8}" fill="#222222">${title}</text>`;
    })
    .join('\n');
}

/**
 * Whole powers of ten around the values.
 * @param {readonly number[]} values
 * @param {number} from
 * @param {number} to
 * @returns {Scale}
 */
function scaleOf(values, from, to) {
  const min = Math.floor(Math.log10(Math.min(...values)));
  const max = Math.max(min + 1, Math.ceil(Math.log10(Math.max(...values))));
  return { min, max, from, to };
}

/**
 * @param {Scale} scale
 * @param {number} value
 */
function place({ min, max, from, to }, value) {
  const share = (Math.log10(value) - min) / (max - min);
  return Math.round((from + share * (to - from)) * 10) / 10;
}

/** @param {Scale} scale */
function powersOf({ min, max }) {
  return Array.from({ length: max - min + 1 }, (_, index) => 10 ** (min + index));
}

/** @param {number} index */
function colourOf(index) {
  return COLOURS[index % COLOURS.length] ?? '#000000';
}

/** @param {number} value */
function label(value) {
  return value.toLocaleString('en', { maximumSignificantDigits: 6 });
}
