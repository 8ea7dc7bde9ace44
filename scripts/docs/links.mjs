// @ts-check
import { PAGES } from './pages.mjs';

const ROOT = 'file:///';

/** Where the files say that the gateway is. */
const WRITTEN_ORIGIN = 'http://localhost:4000/';

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
  if (href.startsWith(WRITTEN_ORIGIN)) return href.slice(WRITTEN_ORIGIN.length - 1);
  if (/^https?:/.test(href)) return href;
  const { path, hash } = repositoryPath(href, file);
  const page = PAGES.find((candidate) => candidate.file === path);
  if (page) return pathOf(page) + hash;
  return SERVED_FILES.get(path);
}

/**
 * Markdown for clients that read it from the gateway: its links lead to what is served there. Those to files that are not
 * served stay as they are.
 * @param {string} markdown
 * @param {string} file
 */
export function withServedLinks(markdown, file) {
  return markdown.replace(/^```.*?^```$|(!?)\[([^\]]*)\]\(([^)\s]+)\)/gms, (whole, mark, text, href) => {
    if (href === undefined) return whole;
    const target = mark ? imageAt(repositoryPath(href, file).path) : servedAt(href, file);
    return target === undefined ? whole : `${mark}[${text}](${target})`;
  });
}

/**
 * Where the gateway serves a page.
 * @param {Pick<import('./pages.mjs').Page, 'name'>} page
 */
export function pathOf({ name }) {
  return name === '' ? '/docs' : `/docs/${name}`;
}

/**
 * @param {string} path of an image in the repository
 */
export function imageAt(path) {
  return `/docs/${path.replace(/^.*\//, '')}`;
}
