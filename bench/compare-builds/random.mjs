/** A number from 0 to 1 that depends on the parts alone: no order of calls can change it. */
export function roll(...parts) {
  let hash = 2_166_136_261;
  for (const character of parts.join('\u0000')) hash = Math.imul(hash ^ character.codePointAt(0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
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
    some: (items, count) =>
      items
        .map((item) => [next(), item])
        .sort(([one], [other]) => one - other)
        .slice(0, count)
        .map(([, item]) => item),
    /** The key of a table of weights. */
    weighted(weights) {
      let left = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      for (const [key, weight] of Object.entries(weights)) {
        left -= weight;
        if (left < 0) return key;
      }
    },
  };
}
