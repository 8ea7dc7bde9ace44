import { DOCS_PATH } from '../docs/html.ts';
import { encoded, htmlDocument, ICON } from '../markup.ts';
import { renderPlaces } from '../places.ts';
import type { Contents } from './contents.ts';
import { renderPanel } from './live-panel.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export function renderHtml(contents: Contents): string {
  const { title, version, lead, service, status, graphiql, places, example } = contents;
  const action =
    'path' in graphiql
      ? `<a class="action" href="${encoded(graphiql.path)}">Open GraphiQL</a>`
      : `<p class="absence">${encoded(graphiql.absence)}</p>`;
  return htmlDocument(
    title,
    `<style>${STYLE}</style>`,
    `<main>
<header>${ICON}<h1>${encoded(title)}</h1><span>${encoded(version)}</span></header>
<p class="lead">${encoded(lead)}</p>
<section class="service ${service.tone}">
<h2>${encoded(service.name)}</h2>
<p>${encoded(service.state)}</p>
</section>
${action}
<a class="action second" href="${DOCS_PATH}">Read the docs</a>
${status ? renderPanel(status) : ''}
${renderPlaces(places)}
<div class="shell"><h2>Try it from a shell</h2><button type="button" hidden>Copy</button></div>
<pre tabindex="0"><code>${encoded(example)}</code></pre>
</main>
${status ? `<script>${SCRIPT}</script>` : ''}`,
  );
}
