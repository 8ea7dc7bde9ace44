// @ts-check
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { lexer, Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { codeBlock, escaped } from './code.mjs';

/** Renders the pages of the README's table into dist/docs. src/pages/docs.ts serves them. */
const root = join(import.meta.dirname, '../..');
const output = join(root, 'dist/docs');
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

const links = read('README.md').matchAll(/(?<=^\| (?:\[.*?, )?)\[(.)([^\]]*)\]\((.*?)\)/gm);
const pages = Array.from(links, ([, first = '', rest, file = '']) => ({
  file,
  // The gateway serves all pages from one folder.
  name: basename(file.replace('/README', ''), '.md'),
  label: `${first.toUpperCase()}${rest}`,
}));

/** @type {import('./search.ts').Entry[]} */
const entries = [];
mkdirSync(output, { recursive: true });
for (const page of pages) {
  const markdown = read(page.file).replaceAll('(../examples/README.md', '(examples.md');
  const content = render(markdown, page.file);
  addEntries(content, page);
  writeFileSync(join(output, `${page.name}.md`), markdown);
  writeFileSync(join(output, `${page.name}.html`), layout(content, page));
}
writeFileSync(join(output, 'search.json'), JSON.stringify(entries));
const entryPoints = ['page.ts', 'style.css'].map((file) => join(import.meta.dirname, file));
buildSync({ entryPoints, outdir: output, bundle: true, format: 'esm', minify: true });
for (const image of ['src/graphiql/icon.svg', 'docs/graphiql.png', 'examples/dashboard/screenshot.png'])
  copyFileSync(join(root, image), join(output, basename(image)));
// src/pages/static-page.ts serves these.
cpSync(join(root, 'clients'), join(root, 'dist/clients'), { recursive: true });

/** @type {(markdown: string, file: string) => string} */
function render(markdown, file) {
  const blocks = lexer(markdown).filter(({ type }) => type !== 'space');
  const named = new Set();
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      code: (token) => codeBlock(token, blocks[blocks.findIndex(({ raw }) => raw === token.raw) + 1]),
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const [path = '', anchor = ''] = href.split(/(?=#)/);
        const page = pages.find(({ name }) => `${name}.md` === basename(path));
        const target = page ? `/docs/${page.name}${anchor}` : href.replace('../schema', '/schema');
        if (/^(https?:|[#/])/.test(target))
          return `<a href="${escaped(target.replace('http://localhost:4000/', '/'))}">${content}</a>`;
        // Names a file that is only in the repository.
        return `${content} (<code>${join(file, '..', href)}</code>)`;
      },
      image: ({ href, text }) => `<img src="/docs/${basename(href)}" alt="${escaped(text)}">`,
      // A row about a setting or a code can be linked to.
      tablerow({ text }) {
        const name = withoutTags(/^<td><code>(.*?)<\/code><\/td>/.exec(text)?.[1] ?? '');
        const isNew = /^[A-Z][A-Z\d_]+$/.test(name) && !named.has(name) && named.add(name);
        return `<tr${isNew ? ` id="${name}"` : ''}>\n${text.replaceAll('<th></th>', '<td></td>')}</tr>\n`;
      },
    },
  });
  return String(marked.parse(markdown));
}

/**
 * Adds the search entries of a page: one for each heading and for each row with an anchor. A comment adds words that the
 * page does not use: `<!-- also: login -->`.
 * @type {(html: string, page: typeof pages[number]) => void}
 */
function addEntries(html, { name, label }) {
  const prose = html.replace(/<pre class="(?:json|csv|text|http)".*?<\/pre>|<a class="open".*?<\/a>/gs, '');
  for (const part of prose.split(/(?=<h[1-3] id=|<tr id=)/)) {
    const [start = '', tag, id, title = ''] = /^<(h.|tr) id="(.*?)">(.*?)<\/(?:h.|td)>/s.exec(part) ?? [];
    const also = Array.from(part.matchAll(/<!-- also: (.*?) -->/g), ([, words]) => words).join(' ');
    const text = withoutTags(part.slice(start.length));
    const path = tag === 'h1' ? `/docs/${name}` : `/docs/${name}#${id}`;
    if (tag) entries.push({ path, page: label, title: withoutTags(title), also, text });
  }
}

/** @param {string} html */
function withoutTags(html) {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
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
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${label} – receivables-graphql</title>
<link rel="icon" href="/docs/icon.svg"><link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/page.js"></script>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p><a href="/">receivables-graphql</a> ${version} <a class="open" href="/graphql">GraphiQL</a> <a href="#menu">Pages</a></p>
<form role="search"><input type="search" size="30" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off">
<div></div></form>
<nav id="menu" aria-label="Documentation"><ul>${menu.join('\n')}</ul></nav>
</header>
<main id="main" tabindex="-1">
${content}</main>
`;
}
