import { encoded, htmlDocument, ICON } from '../markup.ts';
import { renderPlaces } from '../places.ts';
import type { Contents } from './contents.ts';
import { LIVE_SCRIPT, renderPanel } from './live-panel.ts';
import { STYLE } from './style.ts';

export function renderHtml(contents: Contents): string {
  const { title, version, lead, service, status, graphiql, places, example } = contents;
  const action =
    'path' in graphiql
      ? `<a class="action" href="${encoded(graphiql.path)}">Open GraphiQL</a>`
      : `<p>${encoded(graphiql.absence)}</p>`;
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
${status ? renderPanel(status) : ''}
${renderPlaces(places)}
<h2>Try it from a shell</h2>
<pre><code>${encoded(example)}</code></pre>
</main>
${status ? `<script>${LIVE_SCRIPT}</script>` : ''}`,
  );
}
