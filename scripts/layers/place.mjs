// @ts-check
/** @typedef {import('./draw.mjs').Box} Box */
/** @typedef {import('./draw.mjs').Arrow} Arrow */
/** @typedef {{ x: number, y: number, width: number, height: number }} Place */
/**
 * Where lines run that go past boxes: below a row for arrows from its left half, and right of all rows for what leads
 * to a row further down.
 * @typedef {object} Lanes
 * @property {ReadonlyMap<Arrow, number>} below by y
 * @property {ReadonlyMap<Box, number>} tracks by x
 */

const COLUMNS = {
  beside: { x: 24, width: 200 },
  left: { x: 270, width: 222 },
  right: { x: 508, width: 222 },
  both: { x: 270, width: 460 },
};
/** The heading stands above. */
const TOP = 62;
const BOTTOM = 24;
const HEIGHT = 72;
const LINE = 17;
const GAP = 38;
const LANE = 15;
const FIRST_TRACK = 776;
const TRACK = 30;

/**
 * @param {readonly Box[]} boxes
 * @param {readonly Arrow[]} arrows
 */
export function placeBoxes(boxes, arrows) {
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  /** @type {Map<Arrow, number>} */
  const below = new Map();
  /** @type {number[]} */
  const tops = [];
  let y = TOP;
  for (let row = 0; row < rows; row += 1) {
    tops.push(y);
    const passing = arrows.filter(({ from }) => from.row === row).filter(takesLane);
    // What goes furthest right turns first, so that lines of one box do not cross.
    passing.sort((one, other) => one.to.row - other.to.row);
    for (const [index, arrow] of passing.entries()) below.set(arrow, y + HEIGHT + 18 + index * LANE);
    y += HEIGHT + (passing.length === 0 ? GAP : Math.max(GAP, 36 + (passing.length - 1) * LANE));
  }
  const height = y - GAP + BOTTOM;

  const places = new Map(
    boxes.map((box) => {
      const more = box.isCommon ? (box.parts.length + 1) * LINE : 0;
      return [box, { ...COLUMNS[box.column], y: tops[box.row] ?? 0, height: HEIGHT + more }];
    }),
  );
  const targets = boxes.filter((box) => arrows.some((arrow) => arrow.to === box && takesTrack(arrow)));
  targets.sort((one, other) => one.row - other.row);
  const tracks = new Map(targets.map((box, index) => [box, FIRST_TRACK + index * TRACK]));
  const width = FIRST_TRACK + (targets.length - 1) * TRACK + 30;
  return { places, lanes: { below, tracks }, width, height };
}

/**
 * Whether it goes past a row, or across columns.
 * @param {Arrow} arrow
 */
export function takesTrack({ from, to }) {
  return to.column !== 'beside' && to.row !== from.row + 1;
}

/** @param {Arrow} arrow */
export function takesLane(arrow) {
  const { from, to } = arrow;
  const crosses = to.row === from.row + 1 && from.column === 'left' && to.column === 'right';
  return crosses || (from.column === 'left' && takesTrack(arrow));
}
