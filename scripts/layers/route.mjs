// @ts-check
import { takesLane, takesTrack } from './place.mjs';

/** @typedef {import('./draw.mjs').Arrow} Arrow */
/** @typedef {import('./draw.mjs').Box} Box */
/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./place.mjs').Lanes} Lanes */
/** @typedef {readonly [x: number, y: number]} Point */
/**
 * @typedef {object} Route
 * @property {Arrow} arrow
 * @property {readonly Point[]} points
 * @property {Point} label
 * @property {boolean} isEnd whether the head is drawn: once for all that share a track
 */

/**
 * @param {readonly Arrow[]} arrows
 * @param {ReadonlyMap<Box, Place>} places
 * @param {Lanes} lanes
 * @returns {Route[]}
 */
export function routeArrows(arrows, places, lanes) {
  const at = (/** @type {Box} */ box) => places.get(box) ?? { x: 0, y: 0, width: 0, height: 0 };
  const ended = new Set();

  return arrows.map((arrow) => {
    const { from, to } = arrow;
    if (!canDraw(arrow))
      throw new Error(`No line leads from ${from.parts} to ${to.parts}: move one of them.`);
    const isEnd = !takesTrack(arrow) || !ended.has(to);
    if (takesTrack(arrow)) ended.add(to);
    return { arrow, isEnd, ...trace(from, to, arrow) };
  });

  /**
   * @param {Box} from
   * @param {Box} to
   * @param {Arrow} arrow
   * @returns {Pick<Route, 'points' | 'label'>}
   */
  function trace(from, to, arrow) {
    if (to.column === 'beside') return traceBeside(from, to, arrow);
    if (takesLane(arrow)) return traceLane(from, to, arrow);
    if (takesTrack(arrow)) return traceTrack(from, to, arrow);
    // Straight down, from the middle of the narrower box.
    const { x, width } = at(from).width < at(to).width ? at(from) : at(to);
    const middle = x + width / 2;
    const top = bottomOf(from);
    return {
      points: [
        [middle, top],
        [middle, at(to).y],
      ],
      label: [middle, (top + at(to).y - 4) / 2],
    };
  }

  /**
   * Out to the left, and down.
   * @param {Box} from
   * @param {Box} to
   * @param {Arrow} arrow
   * @returns {Pick<Route, 'points' | 'label'>}
   */
  function traceBeside(from, to, arrow) {
    const sharing = arrows.filter((other) => other.to === to);
    // The first leaves furthest up, so it goes furthest out.
    const x = at(to).x + (at(to).width * (sharing.indexOf(arrow) + 1)) / (sharing.length + 1);
    const y = at(from).y + at(from).height / 2;
    return {
      points: [
        [at(from).x, y],
        [x, y],
        [x, at(to).y],
      ],
      label: [at(from).x - 18, y],
    };
  }

  /**
   * Down into the space below the row, and right.
   * @param {Box} from
   * @param {Box} to
   * @param {Arrow} arrow
   * @returns {Pick<Route, 'points' | 'label'>}
   */
  function traceLane(from, to, arrow) {
    const y = lanes.below.get(arrow) ?? 0;
    const place = at(from);
    const own = arrows.filter((other) => other.from === from && takesLane(other));
    own.sort((one, other) => (lanes.below.get(one) ?? 0) - (lanes.below.get(other) ?? 0));
    const x = place.x + place.width - 22 - own.indexOf(arrow) * 22;
    /** @type {Point[]} */
    const start = [
      [x, bottomOf(from)],
      [x, y],
    ];
    const middle = at(to).x + at(to).width / 2;
    /** @type {Point[]} */
    const end = takesTrack(arrow)
      ? downTrack(to, y)
      : [
          [middle, y],
          [middle, at(to).y],
        ];
    return { points: [...start, ...end], label: [place.x + place.width + 8, y] };
  }

  /**
   * Right, out of the box.
   * @param {Box} from
   * @param {Box} to
   * @param {Arrow} arrow
   * @returns {Pick<Route, 'points' | 'label'>}
   */
  function traceTrack(from, to, arrow) {
    const place = at(from);
    const leaving = arrows.filter((other) => other.from === from && takesTrack(other));
    leaving.sort((one, other) => other.to.row - one.to.row);
    // The highest place on the right side is for what comes in.
    const first = place.y + (lanes.tracks.has(from) ? 30 : 12);
    const last = place.y + place.height - 12;
    const step = Math.min(16, (last - first) / Math.max(1, leaving.length - 1));
    const y = last - (leaving.length - 1 - leaving.indexOf(arrow)) * step;
    const right = place.x + place.width;
    return { points: [[right, y], ...downTrack(to, y)], label: [right + 16, y] };
  }

  /**
   * @param {Box} to
   * @param {number} y
   * @returns {Point[]}
   */
  function downTrack(to, y) {
    const x = lanes.tracks.get(to) ?? 0;
    const place = at(to);
    return [
      [x, y],
      [x, place.y + 14],
      [place.x + place.width, place.y + 14],
    ];
  }

  /** @param {Box} box */
  function bottomOf(box) {
    return at(box).y + at(box).height;
  }
}

/**
 * Lines lead down, to the right or beside.
 * @param {Arrow} arrow
 */
function canDraw({ from, to }) {
  const leadsLeft = from.column === 'right' && (to.column === 'left' || to.column === 'beside');
  return from.column !== 'beside' && !leadsLeft && (to.column === 'beside' || to.row > from.row);
}
