import MiniSearch from 'minisearch';

/** A section of the documentation as HTML without tags. `also` has synonyms. */
export type Entry = Record<'path' | 'page' | 'title' | 'also' | 'text', string>;

/** Returns a function that searches the entries and returns the best matches first. */
export function createSearch(entries: readonly Entry[]) {
  const index = new MiniSearch<Record<string, string>>({
    idField: 'path',
    fields: ['title', 'page', 'also', 'text'],
    extractField: (entry, field) => entry[field]?.replace(/&.*?;/g, ' ') ?? '',
    processTerm: (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    searchOptions: {
      boost: { title: 6, also: 6, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      combineWith: 'AND',
      // Pages for users of the gateway come before those for operators.
      boostDocument: (path) => (/\/(settings|operations|deploying|scaling|resilience)/.test(path) ? 0.4 : 1),
    },
  });
  index.addAll(entries);
  const find = (id: string) => entries.filter(({ path }) => path === id);
  return (query: string) =>
    index.search(query).flatMap(({ id, terms }) => find(id).map((entry) => ({ ...entry, terms })));
}
