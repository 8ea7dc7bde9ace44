// @ts-check
import { PAGES } from './pages.mjs';

const ROOT = 'file:///';

/** Files outside the documentation that the gateway serves as well. */
const SERVED_FILES = new Map([['schema.graphql', '/schema.graphql']]);

/**
 * The path in the repository that a link of a file leads to, and its anchor with `#`.
 * @param {string} href
 * @param {string} file
 */
export function repositoryPath(href, file) {
  const { protocol, host, pathname, hash } = new URL(href, ROOT + file);
  if (protocol !== 'file:' || host !== '') throw new Error(`${file} has a link that is no path: ${href}`);
  return { path: decodeURIComponent(pathname.slice(1)), hash };
}

/**
 * Where a link of a file leads on the gateway; undefined if the gateway does not serve its target.
 * @param {string} href
 * @param {string} file
 */
export function servedAt(href, file) {
  if (/^https?:/.test(href)) return href;
  const { path, hash } = repositoryPath(href, file);
  const page = PAGES.find((candidate) => candidate.file === path);
  if (page) return `/docs${page.name && `/${page.name}`}${hash}`;
  return SERVED_FILES.get(path);
}

/**
 * @param {string} path of an image in the repository
 */
export function imageAt(path) {
  return `/docs/${path.replace(/^.*\//, '')}`;
}
