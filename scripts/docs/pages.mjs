// @ts-check

/**
 * @typedef {object} Page
 * @property {string} file
 * @property {string} name the last part of its path on the gateway; empty for /docs itself
 * @property {string} label
 * @property {{ anchor: string, label: string }} [shortcut] a section that every page leads to
 */

/**
 * The pages that the gateway serves, in the order of their navigation.
 * @type {readonly Page[]}
 */
export const PAGES = [
  { file: 'docs/getting-started.md', name: '', label: 'Getting started' },
  {
    file: 'docs/querying.md',
    name: 'querying',
    label: 'Querying',
    shortcut: { anchor: 'codes', label: 'Error codes' },
  },
  { file: 'docs/recipes.md', name: 'recipes', label: 'Recipes' },
  { file: 'docs/credentials.md', name: 'credentials', label: 'Credentials' },
  { file: 'docs/operations.md', name: 'operations', label: 'Operations' },
  { file: 'docs/deploying.md', name: 'deploying', label: 'Deploying' },
  { file: 'docs/scaling.md', name: 'scaling', label: 'Scaling' },
  { file: 'docs/resilience.md', name: 'resilience', label: 'Resilience' },
  { file: 'docs/design.md', name: 'design', label: 'Design' },
  { file: 'examples/README.md', name: 'examples', label: 'Examples' },
  { file: 'CHANGELOG.md', name: 'changelog', label: 'Changelog' },
];
