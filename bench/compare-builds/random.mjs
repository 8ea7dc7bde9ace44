import { createHash } from 'node:crypto';

/** A number from 0 to 1 that depends on the parts alone: no order of calls can change it. */
export function roll(...parts) {
  return createHash('sha1').update(parts.join('\u0000')).digest().readUInt32BE() / 2 ** 32;
}

export const pickBy = (items, ...parts) => items[Math.floor(roll(...parts) * items.length)];

/** Numbers that look random, the same for the same parts. */
export function createRandom(...parts) {
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return roll(...parts, drawn);
  };
  const below = (bound) => Math.floor(next() * bound);
  const pick = (items) => items[below(items.length)];
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    /** So many different items, in random order. */
    some(items, count) {
      const left = [...items];
      return Array.from(
        { length: Math.min(count, items.length) },
        () => left.splice(below(left.length), 1)[0],
      );
    },
    /** The key of a table of weights. */
    weighted: (weights) =>
      pick(Object.entries(weights).flatMap(([key, weight]) => Array.from({ length: weight }, () => key))),
  };
}
