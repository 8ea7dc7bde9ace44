import type { Token } from 'graphql';

/** Places of the same token in two texts. */
export type Pair = readonly [one: number, other: number];

/** Beyond this many pairs to compare, the changed part is taken as a whole. */
const MAX_PAIRS = 1_000_000;

/** The longest sequence of tokens that two texts have in common. */
export function commonTokens(one: readonly Token[], other: readonly Token[]): Pair[] {
  const same = (left: number, right: number) =>
    one[left]?.kind === other[right]?.kind && one[left]?.value === other[right]?.value;
  const shorter = Math.min(one.length, other.length);
  // What was changed is mostly in one place, so most tokens are before or behind it.
  let start = 0;
  while (start < shorter && same(start, start)) start += 1;
  let end = 0;
  while (end < shorter - start && same(one.length - 1 - end, other.length - 1 - end)) end += 1;
  return [
    ...Array.from({ length: start }, (_, index): Pair => [index, index]),
    ...longestBetween(start, one.length - end, other.length - end, same),
    ...Array.from(
      { length: end },
      (_, index): Pair => [one.length - end + index, other.length - end + index],
    ),
  ];
}

function longestBetween(
  start: number,
  oneEnd: number,
  otherEnd: number,
  same: (left: number, right: number) => boolean,
): Pair[] {
  const [rows, columns] = [oneEnd - start + 1, otherEnd - start + 1];
  if (rows * columns > MAX_PAIRS) return [];
  /** The length of the longest common sequence from a pair of places on. */
  const lengths = new Uint32Array(rows * columns);
  const lengthAt = (row: number, column: number) => lengths[row * columns + column] ?? 0;
  for (let row = rows - 2; row >= 0; row -= 1)
    for (let column = columns - 2; column >= 0; column -= 1)
      lengths[row * columns + column] = same(start + row, start + column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const pairs: Pair[] = [];
  for (let [row, column] = [0, 0]; row < rows - 1 && column < columns - 1; ) {
    if (same(start + row, start + column)) {
      pairs.push([start + row, start + column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
