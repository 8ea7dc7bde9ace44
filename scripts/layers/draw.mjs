// @ts-check
import { placeBoxes } from './place.mjs';
import { routeArrows } from './route.mjs';

/**
 * @typedef {object} Box
 * @property {readonly string[]} parts files and folders of src
 * @property {string} purpose
 * @property {number} row
 * @property {'left' | 'right' | 'both' | 'beside'} column
 * @property {boolean} [isCommon] used from everywhere: its imports are told in words, since arrows would hide the rest
 */
/** @typedef {{ from: Box, to: Box, imports: number }} Arrow */
/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./route.mjs').Route} Route */

const STYLE = `
.ground { fill: #ffffff } .box { fill: #f6f8fa; stroke: #d0d7de }
.name { fill: #1f2328; font: 600 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.purpose { fill: #3d444d; font-size: 12px } .note { fill: #656d76; font-size: 11px }
.heading { fill: #1f2328; font-size: 15px; font-weight: 600 }
.line { fill: none; stroke-linejoin: round } .number { font-size: 11px; font-weight: 600; text-anchor: middle }
.pill { fill: #ffffff } .end { text-anchor: end }
@media (prefers-color-scheme: dark) {
  .ground, .pill { fill: #0d1117 } .box { fill: #161b22; stroke: #30363d }
  .name, .heading { fill: #e6edf3 } .purpose { fill: #c3cad2 } .note { fill: #8b949e }
}`;

/** Arrows have the colour of what they lead to; each is readable on white and on black. */
const COLOURS = new Map([
  ['http/', '#6b7f94'],
  ['gateway/', '#2f81d8'],
  ['schema/', '#9065d8'],
  ['execution/', '#cf6a22'],
  ['rest/', '#12946c'],
  ['limits/', '#cc4678'],
]);
const OTHERS = '#818b98';

/**
 * @param {readonly Box[]} boxes
 * @param {ReadonlyMap<Box, number>} files how many each has
 * @param {readonly Arrow[]} arrows
 */
export function drawLayers(boxes, files, arrows) {
  const drawn = arrows.filter(({ from, to }) => !from.isCommon && !to.isCommon);
  const { places, lanes, width, height } = placeBoxes(boxes, drawn);
  const routes = routeArrows(drawn, places, lanes);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" role="img">
<title>The layers of src, from the entrances down, and how many imports lead from each to the others</title>
<style>${STYLE}
</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text class="heading" x="24" y="38">Imports run downwards</text>
<text class="note" x="270" y="38">A number counts imports, in the colour of the layer that they lead to.</text>
${routes.map(drawLine).join('\n')}
${routes.map(drawNumber).join('\n')}
${boxes.map((box) => drawBox(box, files.get(box) ?? 0, placeOf(places, box), arrows)).join('\n')}
</svg>
`;
}

/**
 * @param {ReadonlyMap<Box, Place>} places
 * @param {Box} box
 */
function placeOf(places, box) {
  const place = places.get(box);
  if (place === undefined) throw new Error(`${box.parts} has no place.`);
  return place;
}

/** @param {Box} box */
function colourOf({ parts }) {
  return parts.map((part) => COLOURS.get(part)).find(Boolean) ?? OTHERS;
}

/** @param {Box} box */
function nameOf({ parts }) {
  return parts.join(', ');
}

/** @param {Route} route */
function drawLine({ arrow: { from, to, imports }, points, isEnd }) {
  const colour = colourOf(to);
  // Thicker where more is imported, but sixty times as much is not to be sixty times as thick.
  const thickness = (1.2 + Math.log2(imports) * 0.3).toFixed(1);
  const title = `${nameOf(from)} → ${nameOf(to)}: ${imports}`;
  return `<g><title>${title}</title><path class="line" d="${rounded(points)}" stroke="${colour}" stroke-width="${thickness}"/>${isEnd ? drawHead(points, colour) : ''}</g>`;
}

/**
 * @param {Route['points']} points
 * @param {string} colour
 */
function drawHead(points, colour) {
  const [[fromX, fromY] = [0, 0], [x, y] = [0, 0]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const corner = (/** @type {number} */ side) => `${x - 7 * dx + side * dy} ${y - 7 * dy + side * dx}`;
  return `<path d="M${x} ${y}L${corner(4.5)}L${corner(-4.5)}Z" fill="${colour}"/>`;
}

/** @param {Route} route */
function drawNumber({ arrow: { to, imports }, label: [x, y] }) {
  const half = String(imports).length * 3.5 + 4;
  return `<rect class="pill" x="${x - half}" y="${y - 7}" width="${half * 2}" height="14"/><text class="number" x="${x}" y="${y + 4}" fill="${colourOf(to)}">${imports}</text>`;
}

/**
 * A path through points, with its corners rounded.
 * @param {Route['points']} points
 */
function rounded(points) {
  const RADIUS = 7;
  return points
    .map(([x, y], index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (before === undefined) return `M${x} ${y}`;
      if (after === undefined) return `L${x} ${y}`;
      const towards = (/** @type {readonly [number, number]} */ [toX, toY]) =>
        `${x + Math.sign(toX - x) * RADIUS} ${y + Math.sign(toY - y) * RADIUS}`;
      return `L${towards(before)}Q${x} ${y} ${towards(after)}`;
    })
    .join('');
}

/**
 * @param {Box} box
 * @param {number} count
 * @param {Place} place
 * @param {readonly Arrow[]} arrows
 */
function drawBox(box, count, { x, y, width, height }, arrows) {
  const files = `${count} ${count === 1 ? 'file' : 'files'}`;
  const names = box.isCommon ? box.parts : [nameOf(box)];
  const below = y + 30 + (names.length - 1) * 18;
  const lines = [
    ...names.map(
      (name, index) => `<text class="name" x="${x + 16}" y="${y + 30 + index * 18}">${name}</text>`,
    ),
    `<text class="note end" x="${x + width - 14}" y="${y + 29}">${files}</text>`,
    ...[box.purpose, ...(box.isCommon ? notesOf(box, arrows) : [])].map(
      (text, index) =>
        `<text class="${index === 0 ? 'purpose' : 'note'}" x="${x + 16}" y="${below + 21 + index * 16}">${text}</text>`,
    ),
  ];
  return `<g><rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><rect x="${x}" y="${y + 8}" width="4" height="${height - 16}" rx="2" fill="${colourOf(box)}"/>
${lines.join('\n')}</g>`;
}

/**
 * @param {Box} box
 * @param {readonly Arrow[]} arrows
 */
function notesOf(box, arrows) {
  const users = arrows.filter(({ to }) => to === box).reduce((sum, { imports }) => sum + imports, 0);
  const used = arrows
    .filter(({ from }) => from === box)
    .map(({ to, imports }) => `${nameOf(to)} ${imports} times`);
  return [`imported ${users} times from above`, `imports ${used.join(', ') || 'nothing'}`];
}
