// @ts-check
import { readFileSync } from 'node:fs';
import { Marked, Renderer } from 'marked';
import { flowchartList } from './flowchart.mjs';
import { highlight } from './highlight.mjs';
import { escapeHtml } from './html.mjs';
import { imageAt, repositoryPath, servedAt } from './links.mjs';
import { findOperations, linkTo } from './operations.mjs';
import { rowName, sectionsOf } from './sections.mjs';

const root = new URL('../../', import.meta.url);

/**
 * Its place is kept free until it is there, so that what stands below does not move.
 * @param {string} path of an image in the repository
 */
function pngSize(path) {
  const header = readFileSync(new URL(path, root)).subarray(0, 24);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

/** What stands above a block of code. */
const LABELS = new Map([
  ['graphql', 'GraphQL'],
  ['json', 'JSON'],
  ['http', 'Headers'],
  ['sh', 'Shell'],
  ['ts', 'TypeScript'],
  ['python', 'Python'],
  ['csv', 'CSV'],
]);

/**
 * Renders a file of the documentation. The images that it shows are added to `images`, by their paths in the
 * repository.
 * @param {string} markdown
 * @param {string} file
 * @param {Set<string>} images
 */
export function renderPage(markdown, file, images) {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const renderer = new PageRenderer(file, images, findOperations(tokens));
  const html = marked.parser(tokens, { renderer });
  const [title, ...others] = renderer.headings;
  if (title?.depth !== 1) throw new Error(`${file} does not begin with a heading of the first level.`);
  const sections = others.filter(({ depth }) => depth === 2).map(({ id, text }) => ({ id, text }));
  return { title: title.text, sections, html, searched: sectionsOf(tokens, renderer.headings) };
}

class PageRenderer extends Renderer {
  /** @type {import('./sections.mjs').Heading[]} */
  headings = [];
  #file;
  #images;
  #operations;
  #variables;
  /** @type {Map<string, number>} */
  #slugs = new Map();
  #rows = new Set();

  /**
   * @param {string} file
   * @param {Set<string>} images
   * @param {ReturnType<typeof findOperations>} found
   */
  constructor(file, images, { operations, variables }) {
    super();
    this.#file = file;
    this.#images = images;
    this.#operations = operations;
    this.#variables = variables;
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

  /**
   * Focusable, so that a wide block can be scrolled with the keyboard. Whether there is a GraphiQL to open an operation
   * in, the gateway knows: see src/pages/docs/index.ts.
   * @override @param {import('marked').Tokens.Code} token
   */
  code(token) {
    const { text, lang = '' } = token;
    if (lang === 'mermaid') return flowchartList(text);
    const operation = this.#operations.get(token);
    const open = operation ? `<!--open ${linkTo(operation)}-->` : '';
    const label = this.#variables.has(token) ? 'Variables' : (LABELS.get(lang) ?? 'Text');
    return `<div class="code">
<div class="bar"><span>${label}</span>${open}</div>
<pre tabindex="0"><code>${highlight(text, lang)}</code></pre>
</div>
`;
  }

  /** A long name may break at its underscores, for narrow tables. @override @param {import('marked').Tokens.Codespan} token */
  codespan({ text }) {
    return `<code>${escapeHtml(text).replace(/(?<=[^\W_])_(?=[^\W_])/g, '_<wbr>')}</code>`;
  }

  /** A row that begins with the name of a setting or a code can be linked to. @override @param {import('marked').Tokens.Table} token */
  table(token) {
    const rows = token.rows.map((row) => {
      const cells = row.map((cell, index) => this.#bodyCell(cell, token.header[index])).join('');
      const name = rowName(row);
      const isFirst = name !== undefined && !this.#rows.has(name);
      if (isFirst) this.#rows.add(name);
      return `<tr${isFirst ? ` id="${name}"` : ''}>\n${cells}</tr>\n`;
    });
    const header = token.header.map((cell) => this.tablecell(cell)).join('');
    return `<div class="table" tabindex="0">
<table>
<thead>
<tr>
${header}</tr>
</thead>
<tbody>
${rows.join('')}</tbody>
</table>
</div>
`;
  }

  /**
   * With the head of its column, which stands before it on a phone.
   * @param {import('marked').Tokens.TableCell} token
   * @param {import('marked').Tokens.TableCell} [head]
   */
  #bodyCell(token, head) {
    const text = head?.text.replaceAll('`', '') ?? '';
    return this.tablecell(token).replace('<td', text ? `<td data-head="${escapeHtml(text)}"` : '<td');
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
    const { width, height } = pngSize(path);
    const size = `width="${width}" height="${height}"`;
    return `<img src="${escapeHtml(imageAt(path))}" alt="${escapeHtml(text)}" ${size} loading="lazy">`;
  }

  /** The files need no HTML, so what looks like it is text. @override @param {import('marked').Tokens.HTML | import('marked').Tokens.Tag} token */
  html({ text }) {
    return escapeHtml(text);
  }
}
