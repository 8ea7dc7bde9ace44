// @ts-check
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { codeBlock, escaped } from './code.mjs';

/** Renders the pages that the README's table lists into dist/docs, for the gateway to serve: see src/pages/docs.ts. */
const root = join(import.meta.dirname, '../..');
const output = join(root, 'dist/docs');
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

const listed = Array.from(read('README.md').matchAll(/^\| (\[.*?\)) \|/gm), ([, cell]) => cell).join();
const pages = Array.from(listed.matchAll(/\[(.)(.*?)\]\((.*?)\)/g), ([, first = '', rest, file = '']) => ({
  file,
  name: file === 'examples/README.md' ? 'examples' : basename(file, '.md'),
  label: `${first.toUpperCase()}${rest}`,
}));

/** @type {import('./search.ts').Entry[]} */
const entries = [];
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
for (const page of pages) {
  // On the gateway all pages are in one folder.
  const markdown = read(page.file)
    .replaceAll('(../examples/README.md', '(examples.md')
    .replaceAll('(../docs/', '(');
  const content = render(markdown, page.file);
  addEntries(content, page);
  writeFileSync(join(output, `${page.name}.md`), markdown);
  writeFileSync(join(output, `${page.name}.html`), layout(content, page));
}
writeFileSync(join(output, 'search.json'), JSON.stringify(entries));
const entryPoints = ['page.ts', 'style.css'].map((file) => join(import.meta.dirname, file));
buildSync({ entryPoints, outdir: output, bundle: true, format: 'esm', minify: true });
copyFileSync(join(root, 'src/graphiql/icon.svg'), join(output, 'icon.svg'));
// The gateway serves these too: see src/pages/static-page.ts.
cpSync(join(root, 'clients'), join(root, 'dist/clients'), { recursive: true });

/** @type {(markdown: string, file: string) => string} */
function render(markdown, file) {
  const marked = new Marked(gfmHeadingId());
  const blocks = marked.lexer(markdown).filter(({ type }) => type !== 'space');
  const named = new Set();
  marked.use({
    renderer: {
      code: (token) => codeBlock(token, blocks[blocks.findIndex(({ raw }) => raw === token.raw) + 1]),
      // Long names may break at underscores, for narrow tables.
      codespan: ({ text }) => `<code>${escaped(text).replace(/(?<=[^\W_])_(?=[^\W_])/g, '_<wbr>')}</code>`,
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href);
        // The reader may have the repository, so its file is named.
        const inRepository = `${content} (<code>${join(file, '..', href)}</code>)`;
        return target ? `<a href="${escaped(target)}">${content}</a>` : inRepository;
      },
      image({ href, text }) {
        copyFileSync(join(root, file, '..', href), join(output, basename(href)));
        return `<img src="/docs/${basename(href)}" alt="${escaped(text)}">`;
      },
      // A row about a setting or a code can be linked to.
      tablerow({ text }) {
        const name = plainText(/^<td><code>(.*?)<\/code><\/td>/.exec(text)?.[1] ?? '');
        const isNew = /^[A-Z][A-Z\d_]+$/.test(name) && !named.has(name) && named.add(name);
        return `<tr${isNew ? ` id="${name}"` : ''}>\n${text.replaceAll('<th></th>', '<td></td>')}</tr>\n`;
      },
    },
  });
  return String(marked.parse(markdown));
}

/**
 * Where a link of a page leads on the gateway; undefined for files that are only in the repository.
 * @param {string} href
 */
function targetOf(href) {
  if (/^https?:|^#/.test(href)) return href.replace(/^http:\/\/localhost:4000(?=\/)/, '');
  if (href === '../schema.graphql') return '/schema.graphql';
  const [path, anchor = ''] = href.split(/(?=#)/);
  const page = pages.find(({ name }) => `${name}.md` === path);
  return page && `/docs/${page.name}${anchor}`;
}

/**
 * What a search finds: the part of a page under a heading, or a row that can be linked to. Words that readers use, and
 * the page does not, stand in a comment: `<!-- also: login -->`.
 * @type {(html: string, page: typeof pages[number]) => void}
 */
function addEntries(html, { name, label }) {
  const prose = html.replace(/<pre class="(?:json|csv|text|http)".*?<\/pre>|<a class="open".*?<\/a>/gs, '');
  for (const part of prose.split(/(?=<h[1-3] id=|<tr id=|<\/table>)/)) {
    const [start = '', tag, id, title = ''] =
      /^<(h[1-3]|tr) id="(.*?)">(.*?)<\/(?:h\d|td)>/s.exec(part) ?? [];
    const also = Array.from(part.matchAll(/<!-- also: (.*?) -->/g), ([, words]) => words).join(' ');
    const text = plainText(part.slice(start.length));
    const path = tag === 'h1' ? `/docs/${name}` : `/docs/${name}#${id}`;
    if (tag) entries.push({ path, page: label, title: plainText(title), also, text: [text] });
    // What follows a table belongs to the heading before it.
    else entries.findLast(({ path: above }) => !/#[A-Z]/.test(above))?.text.push(text);
  }
}

/** @param {string} html */
function plainText(html) {
  const text = html.replace(/<\/?(?:a|b|code|em|span|strong|wbr)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ');
  const decoded = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
  return decoded.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}

/** @type {(content: string, page: typeof pages[number]) => string} */
function layout(content, { name, label }) {
  const sections = getHeadingList().filter(({ level }) => level === 2);
  const list = sections.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('');
  const menu = pages.map((page) =>
    page.name === name
      ? `<li><a href="/docs/${name}" aria-current="page">${label}</a><ul>${list}</ul></li>`
      : `<li><a href="/docs/${page.name}">${page.label}</a></li>`,
  );
  return `<!doctype html>
<html lang="en" class="markdown-body">
<meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${label} – receivables-graphql</title>
<link rel="icon" href="/docs/icon.svg"><link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/page.js"></script>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a href="/">receivables-graphql</a> ${version} <a class="open" href="/graphql">GraphiQL</a>
<form role="search">
<input type="search" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off">
<ol tabindex="-1"></ol>
</form>
</header>
<nav aria-label="Documentation"><ul>${menu.join('\n')}</ul></nav>
<main id="main" tabindex="-1">
${content}</main>
`;
}
