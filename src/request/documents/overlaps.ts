import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { truncate } from '../../execution/input-words.ts';
import { tooExpensive } from '../../http/errors.ts';
import { countArgumentValues, type Fragments } from './measure.ts';

/**
 * Validation compares all fields with the same response name pairwise to see whether they can be merged, so its time
 * grows with the square of their number. 140 fields of one name are about this many pairs.
 */
const MAX_PAIRS = 10_000;
/** To compare arguments, it writes each of their values out once, which takes as long as this many pairs. */
const PAIRS_PER_VALUE = 2;

/**
 * Throws if validation would make too many comparisons. Requires that the document passed `checkSize`: its size is
 * limited and its fragments have no cycles, so that visiting all selections with fragments expanded is fast.
 */
export function checkOverlaps(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  let pairs = 0;
  const written = new Set<FieldNode>();

  function pairsOf(nodes: readonly FieldNode[]): number {
    if (nodes.length < 2) return 0;
    let values = 0;
    for (const node of nodes) {
      if (written.has(node)) continue;
      written.add(node);
      values += countArgumentValues(node.arguments);
    }
    return (nodes.length * (nodes.length - 1)) / 2 + values * PAIRS_PER_VALUE;
  }

  /** Visits the selection sets that are merged into one object of the response. */
  function visitSets(mergedSets: readonly SelectionSetNode[]): void {
    for (const [name, nodes] of collectFields(mergedSets, fragments)) {
      pairs += pairsOf(nodes);
      if (pairs > MAX_PAIRS) throw tooManyFields(name, nodes.length);
      const nested = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (nested.length > 0) visitSets(nested);
    }
  }

  for (const set of sets) visitSets([set]);
}

/** The fields by response name. Each fragment is expanded once, since spreading it again adds nothing. */
function collectFields(sets: readonly SelectionSetNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const byName = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  function collect({ selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (node.kind === Kind.FIELD) {
        const name = node.alias?.value ?? node.name.value;
        const nodes = byName.get(name);
        if (nodes) nodes.push(node);
        else byName.set(name, [node]);
      } else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  }
  for (const set of sets) collect(set);
  return byName;
}

function tooManyFields(name: string, count: number) {
  return tooExpensive(
    `The document asks for the same names too often, such as for \`${truncate(name, 100)}\` ${count} times in one place: ` +
      'ask once.',
  );
}
