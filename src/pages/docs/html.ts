import { encoded, htmlDocument, ICON } from '../markup.ts';
import type { DocsPage } from './build.ts';

export const DOCS_PATH = '/docs';
export const STYLE_NAME = 'style.css';

export function pathOfPage({ name }: Pick<DocsPage, 'name'>): string {
  return name === '' ? DOCS_PATH : `${DOCS_PATH}/${name}`;
}

export function renderDocsPage(page: DocsPage, pages: readonly DocsPage[], version: string): string {
  const title = page.name === '' ? page.title : `${page.title} – receivables-graphql`;
  return layout(title, page.html, navigation(pages, page), version);
}

export function renderMissingPage(pages: readonly DocsPage[], version: string): string {
  const content = `<h1>No such page</h1>
<p>The documentation begins at <a href="${DOCS_PATH}">${DOCS_PATH}</a>. GraphQL itself is served elsewhere, as
<a href="/">the front page</a> says.</p>
`;
  return layout('No such page – receivables-graphql', content, navigation(pages), version);
}

/** The content is HTML of our own build. */
function layout(title: string, content: string, nav: string, version: string): string {
  return htmlDocument(
    title,
    `<link rel="stylesheet" href="${DOCS_PATH}/${STYLE_NAME}">`,
    `<a class="skip" href="#main">Skip to the content</a>
<header><a href="/">${ICON}<span>receivables-graphql</span></a> <span>${encoded(version)}</span></header>
<div class="columns">
<nav aria-label="Documentation">
${nav}
</nav>
<main id="main" tabindex="-1">
${content}</main>
</div>`,
  );
}

/** Links to all pages, and to the sections of the current one. */
function navigation(pages: readonly DocsPage[], current?: DocsPage): string {
  const items = pages.flatMap((page) => {
    const path = pathOfPage(page);
    const item =
      page === current
        ? `<a href="${path}" aria-current="page">${encoded(page.label)}</a>${sectionList(page)}`
        : `<a href="${path}">${encoded(page.label)}</a>`;
    const { shortcut } = page;
    return shortcut
      ? [item, `<a href="${path}#${encoded(shortcut.anchor)}">${encoded(shortcut.label)}</a>`]
      : [item];
  });
  return listOf(items);
}

function sectionList({ sections }: DocsPage): string {
  if (sections.length === 0) return '';
  return listOf(sections.map(({ id, text }) => `<a href="#${encoded(id)}">${encoded(text)}</a>`));
}

function listOf(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}
