// @ts-check

/**
 * @typedef {object} Page
 * @property {string} file
 * @property {string} name the last part of its path on the gateway; empty for /docs itself
 * @property {string} label
 * @property {string} group what its readers want to do
 * @property {number} weight of what a search finds there
 */

/** @type {readonly { group: string, weight: number, pages: readonly Omit<Page, 'group' | 'weight'>[] }[]} */
const GROUPS = [
  {
    group: 'Use it',
    weight: 1,
    pages: [
      { file: 'docs/getting-started.md', name: '', label: 'Getting started' },
      { file: 'docs/querying.md', name: 'querying', label: 'Querying' },
      { file: 'docs/lists.md', name: 'lists', label: 'Lists and totals' },
      { file: 'docs/files.md', name: 'files', label: 'Files' },
      { file: 'docs/live-changes.md', name: 'live-changes', label: 'Live changes' },
      { file: 'docs/errors.md', name: 'errors', label: 'Errors' },
      { file: 'docs/transport.md', name: 'transport', label: 'Transport' },
      { file: 'docs/clients.md', name: 'clients', label: 'Clients' },
      { file: 'docs/recipes.md', name: 'recipes', label: 'Recipes' },
      { file: 'docs/credentials.md', name: 'credentials', label: 'Credentials' },
      { file: 'examples/README.md', name: 'examples', label: 'Examples' },
    ],
  },
  {
    group: 'Run it',
    weight: 0.1,
    pages: [
      { file: 'docs/operations.md', name: 'operations', label: 'Operations' },
      { file: 'docs/deploying.md', name: 'deploying', label: 'Deploying' },
      { file: 'docs/scaling.md', name: 'scaling', label: 'Scaling' },
    ],
  },
  {
    group: 'Change it',
    weight: 0.05,
    pages: [
      { file: 'docs/design.md', name: 'design', label: 'Design' },
      { file: 'docs/resilience.md', name: 'resilience', label: 'Resilience' },
      { file: 'CHANGELOG.md', name: 'changelog', label: 'Changelog' },
    ],
  },
];

/**
 * The pages that the gateway serves, in the order of their navigation.
 * @type {readonly Page[]}
 */
export const PAGES = GROUPS.flatMap(({ pages, ...group }) => pages.map((page) => ({ ...page, ...group })));
