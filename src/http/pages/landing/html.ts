import type { Contents } from './contents.ts';
import { STYLE } from './style.ts';

const ICON_PATHS =
  '<path d="M16 4l10.4 6v12L16 28 5.6 22V10z"/><path d="M11 13h10M11 17h10M11 21h6" stroke-linecap="round"/>';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#d60590" stroke-width="2.5"' +
  ` aria-hidden="true">${ICON_PATHS}</svg>`;

export function renderHtml({ title, version, lead, service, graphiql, places, example }: Contents): string {
  const rows = places.map(
    ({ path, what }) =>
      `<li><a href="${encoded(path)}"><code>${encoded(path)}</code></a><span>${encoded(what)}</span></li>`,
  );
  const action =
    'path' in graphiql
      ? `<a class="action" href="${encoded(graphiql.path)}">Open GraphiQL</a>`
      : `<p>${encoded(graphiql.absence)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${encoded(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${ICON}<h1>${encoded(title)}</h1><span>${encoded(version)}</span></header>
<p class="lead">${encoded(lead)}</p>
<section class="service ${service.tone}">
<h2>${encoded(service.name)}</h2>
<p>${encoded(service.state)}</p>
</section>
${action}
<ul>
${rows.join('\n')}
</ul>
<h2>From a shell</h2>
<pre><code>${encoded(example)}</code></pre>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function encoded(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
