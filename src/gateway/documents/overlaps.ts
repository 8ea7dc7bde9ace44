import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { tooExpensive } from '../errors.ts';
import type { Fragments } from './measure.ts';

/**
 * Validation compares all fields that share a name at one place with each other, to see that they can be merged, so
 * that its time grows with the square of their number. 140 fields of one name are as many pairs as this.
 */
export const MAX_PAIRS = 10_000;

/**
 * Refuses what would be too many comparisons. The document must be within its size, and no fragment of it may spread
 * itself: then a walk over all places, with fragments opened, is short.
 */
export function checkOverlaps(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  let pairs = 0;

  /** All selections on one place of an answer. */
  function visitPlace(place: readonly SelectionSetNode[]): void {
    for (const [name, nodes] of fieldsAt(place, fragments)) {
      pairs += (nodes.length * (nodes.length - 1)) / 2;
      if (pairs > MAX_PAIRS) throw tooManyTimes(name, nodes.length);
      const inside = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inside.length > 0) visitPlace(inside);
    }
  }

  for (const set of sets) visitPlace([set]);
}

/** A fragment is opened once for each place: spread again, it adds nothing. */
function fieldsAt(place: readonly SelectionSetNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const byName = new Map<string, FieldNode[]>();
  const opened = new Set<string>();
  function collect({ selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (node.kind === Kind.FIELD) note(node);
      else if (!opened.has(node.name.value)) {
        opened.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  }
  function note(node: FieldNode): void {
    const name = node.alias?.value ?? node.name.value;
    const nodes = byName.get(name);
    if (nodes) nodes.push(node);
    else byName.set(name, [node]);
  }
  for (const set of place) collect(set);
  return byName;
}

function tooManyTimes(name: string, count: number) {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return tooExpensive(
    `The document asks for the same names too often, such as for \`${shown}\` ${count} times in one place: ` +
      'ask once.',
  );
}
