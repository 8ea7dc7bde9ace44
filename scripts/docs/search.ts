import MiniSearch from 'minisearch';

/** A part of the documentation that a search finds. */
export interface Entry {
  readonly path: string;
  /** The name of its page. */
  readonly page: string;
  readonly title: string;
  /** Other words for what it tells of. */
  readonly also: string;
  readonly text: string[];
}

export type Found = Entry & { readonly terms: readonly string[] };

/** Found after what is for who uses the gateway. */
const FOR_OPERATORS = /^\/docs\/(?:settings|operations|deploying|scaling|resilience)/;

/** Makes a search over the entries, which gives the best first. */
export function createSearch(entries: readonly Entry[]): (query: string) => Found[] {
  const index = new MiniSearch<Entry>({
    idField: 'path',
    fields: ['title', 'page', 'also', 'text'],
    processTerm: (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    searchOptions: {
      boost: { title: 6, also: 6, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      combineWith: 'AND',
      boostDocument: (path) => (FOR_OPERATORS.test(path) ? 0.4 : 1),
    },
  });
  index.addAll(entries);
  const byPath = new Map(entries.map((entry) => [entry.path, [entry]]));
  return (query) =>
    index
      .search(query)
      .flatMap(({ id, terms }) => (byPath.get(id) ?? []).map((entry) => ({ ...entry, terms })));
}
