import type { Status } from '../../telemetry/status.ts';
import { DOCS_PATH } from '../docs/html.ts';
import { encoded, htmlDocument, ICON, renderPlaces } from '../markup.ts';
import { STATUS_PATH } from '../status.ts';
import {
  breakersText,
  type Contents,
  FIGURES,
  figureText,
  NO_BREAKERS,
  NO_NUMBER,
  periodText,
} from './contents.ts';
import { LANDING_STYLE } from './style.ts';

export function renderHtml(contents: Contents): string {
  const { title, version, lead, service, status, graphiql, places, example } = contents;
  const action =
    'path' in graphiql
      ? `<a class="action" href="${encoded(graphiql.path)}">Open GraphiQL</a>`
      : `<p class="absence">${encoded(graphiql.absence)}</p>`;
  return htmlDocument(
    title,
    `<style>${LANDING_STYLE}</style>`,
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

export function renderText(contents: Contents): string {
  const { title, version, lead, service, status, graphiql, places, example } = contents;
  const parts = [
    `${title} ${version}`,
    wrap(lead),
    wrap(`${service.name}: ${service.state}`),
    ...(status ? [statusText(status)] : []),
    columns(places.map(({ path, what }) => [path, what])),
    ...('absence' in graphiql ? [wrap(graphiql.absence)] : []),
    example,
  ];
  return `${parts.join('\n\n')}\n`;
}

function statusText(status: Status): string {
  const rows = FIGURES.map((figure) => [figure.label, figureText(status, figure)] as const);
  const breakers = ['Open circuit breakers', breakersText(status)] as const;
  return `The last ${periodText(status.seconds)}:\n${columns([...rows, breakers])}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(widest)}   ${second}`).join('\n');
}

function wrap(text: string): string {
  return text.replace(/(.{1,79})(?: |$)/g, '$1\n').trimEnd();
}

const REFRESH_MS = 5_000;

/** The status as a panel that {@link LIVE_SCRIPT} keeps up to date. Without scripts it shows how it was at first. */
function renderPanel(status: Status): string {
  const items = FIGURES.map(({ label, member, unit }) => {
    const number = status[member];
    const hidden = number === null ? ' hidden' : '';
    return `<div><dt>${label}</dt><dd><b data-member="${member}">${number ?? NO_NUMBER}</b><span${hidden}> ${unit}</span></dd></div>`;
  });
  return `<section class="live" aria-labelledby="live">
<h2 id="live">Activity in the last <span data-member="seconds">${periodText(status.seconds)}</span></h2>
<dl>
${items.join('\n')}
<div class="breakers"><dt>Open circuit breakers</dt><dd data-member="openBreakers">${encoded(breakersText(status))}</dd></div>
</dl>
<p hidden>The gateway does not answer. These are the last figures it gave.</p>
</section>`;
}

/** Nothing is asked while the page is out of sight. */
const LIVE_SCRIPT = `
const panel = document.querySelector('.live');
const formats = {
  seconds: ${periodText},
  openBreakers: (value) => value.join(', ') || '${NO_BREAKERS}',
};
const number = (value) => value ?? '${NO_NUMBER}';

async function readStatus() {
  const response = await fetch('${STATUS_PATH}');
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}

async function refresh() {
  if (document.hidden) return;
  const status = await readStatus().catch(() => undefined);
  panel.querySelector('p').hidden = status !== undefined;
  if (status === undefined) return;
  for (const element of panel.querySelectorAll('[data-member]')) {
    const { member } = element.dataset;
    element.textContent = (formats[member] ?? number)(status[member]);
    const unit = element.nextElementSibling;
    if (unit) unit.hidden = status[member] === null;
  }
}

setInterval(refresh, ${REFRESH_MS});
document.addEventListener('visibilitychange', refresh);
`;

/** Browsers offer the clipboard over HTTPS and on localhost only: elsewhere there is no button. */
const COPY_SCRIPT = `
const button = document.querySelector('.shell button');
const command = document.querySelector('pre code');
button.hidden = navigator.clipboard === undefined;
button.addEventListener('click', async () => {
  const isCopied = await navigator.clipboard.writeText(command.textContent).then(() => true, () => false);
  button.textContent = isCopied ? 'Copied' : 'Not copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});
`;

/** The script of the page, for those who see the panel: the page of others runs none. */
export const SCRIPT = `${LIVE_SCRIPT}${COPY_SCRIPT}`;
