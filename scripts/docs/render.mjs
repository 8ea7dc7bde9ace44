// @ts-check
import { Marked, Renderer } from 'marked';
import { flowchartList } from './flowchart.mjs';
import { escapeHtml } from './html.mjs';
import { imageAt, repositoryPath, servedAt } from './links.mjs';

/** @typedef {{ id: string, text: string, depth: number }} Heading */

/**
 * Renders a file of the documentation. The images that it shows are added to `images`, by their paths in the
 * repository.
 * @param {string} markdown
 * @param {string} file
 * @param {Set<string>} images
 */
export function renderPage(markdown, file, images) {
  const renderer = new PageRenderer(file, images);
  const html = new Marked().parse(markdown, { renderer, async: false });
  const [title, ...others] = renderer.headings;
  if (title?.depth !== 1) throw new Error(`${file} does not begin with a heading of the first level.`);
  const sections = others.filter(({ depth }) => depth === 2).map(({ id, text }) => ({ id, text }));
  return { title: title.text, sections, html };
}

class PageRenderer extends Renderer {
  /** @type {Heading[]} */
  headings = [];
  #file;
  #images;
  /** @type {Map<string, number>} */
  #slugs = new Map();

  /**
   * @param {string} file
   * @param {Set<string>} images
   */
  constructor(file, images) {
    super();
    this.#file = file;
    this.#images = images;
  }

  /** @override @param {import('marked').Tokens.Heading} token */
  heading({ tokens, text, depth }) {
    const id = this.#slug(text);
    this.headings.push({ id, text: text.replaceAll('`', ''), depth });
    const content = this.parser.parseInline(tokens);
    if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`;
    return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
  }

  /** The anchor that GitHub gives a heading, since that is what the files' own links use. @param {string} heading */
  #slug(heading) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = this.#slugs.get(slug) ?? 0;
    this.#slugs.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }

  /** Focusable, so that a wide block can be scrolled with the keyboard. @override @param {import('marked').Tokens.Code} token */
  code({ text, lang }) {
    if (lang === 'mermaid') return flowchartList(text);
    return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
  }

  /** A long name may break at its underscores, for narrow tables. @override @param {import('marked').Tokens.Codespan} token */
  codespan({ text }) {
    return `<code>${escapeHtml(text).replace(/(?<=[^\W_])_(?=[^\W_])/g, '_<wbr>')}</code>`;
  }

  /** @override @param {import('marked').Tokens.Table} token */
  table(token) {
    return `<div class="table" tabindex="0">\n${super.table(token)}</div>\n`;
  }

  /** @override @param {import('marked').Tokens.TableCell} token */
  tablecell(token) {
    // A header without text would be announced as the name of its column.
    return super.tablecell(token.text === '' ? { ...token, header: false } : token);
  }

  /** @override @param {import('marked').Tokens.Link} token */
  link({ href, text, tokens }) {
    const content = this.parser.parseInline(tokens);
    const target = servedAt(href, this.#file);
    if (target !== undefined) return `<a href="${escapeHtml(target)}">${content}</a>`;
    // The reader may have the repository, so its file is named.
    const { path } = repositoryPath(href, this.#file);
    const name = `<code>${escapeHtml(path)}</code>`;
    return path.includes(text.replaceAll('`', '')) ? name : `${content} (${name})`;
  }

  /** @override @param {import('marked').Tokens.Image} token */
  image({ href, text }) {
    const { path } = repositoryPath(href, this.#file);
    this.#images.add(path);
    return `<img src="${escapeHtml(imageAt(path))}" alt="${escapeHtml(text)}" loading="lazy">`;
  }

  /** The files need no HTML, so what looks like it is text. @override @param {import('marked').Tokens.HTML | import('marked').Tokens.Tag} token */
  html({ text }) {
    return escapeHtml(text);
  }
}
