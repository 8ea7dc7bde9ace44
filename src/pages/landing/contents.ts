import type { RestState } from '../../rest/client/client.ts';
import type { ProbeResult } from '../../rest/client/probe.ts';
import type { Status } from '../../telemetry/status.ts';
import { DOCS_PATH } from '../docs/index.ts';
import { curlExample, type ExampleValues } from '../examples.ts';
import { NO_GRAPHIQL } from '../graphiql.ts';
import {
  encoded,
  htmlDocument,
  ICON,
  METRICS_PLACE,
  type PageLink,
  PROBE_PLACES,
  renderPlaces,
  STATUS_PLACE,
  wrapped,
} from '../markup.ts';
import { APOLLO_PATH, GRAPHCACHE_PATH, SCHEMA_PATH } from '../static-page.ts';
import { LANDING_STYLE } from './style.ts';

export interface LandingFacts {
  readonly version: string;
  readonly endpoint: string;
  /** Whether the embedded REST service is used. The address of any other service is not shown. */
  readonly embedded: boolean;
  readonly example: ExampleValues;
  /** Whether only trusted documents are run, so that there is no GraphiQL. */
  readonly trusted: boolean;
}

interface Present {
  readonly facts: LandingFacts;
  readonly state: RestState;
  /** Undefined for those who may not see it. */
  readonly status: Status | undefined;
  readonly hasMetrics: boolean;
  /** As the reader calls the gateway. */
  readonly origin: string;
}

const TEXT_COLUMNS = 79;
const TITLE = 'receivables-graphql';
const LEAD =
  'A GraphQL API for receivables and debtor management. It reads from a REST service, with your access ' +
  'token and in as few calls as your query needs.';

/** What depends on the moment and the reader, for both HTML and text. */
function contentsOf({ facts, state, status, hasMetrics, origin }: Present) {
  const { endpoint, embedded, example, trusted } = facts;
  const { reach, heldBack } = state;
  const paused =
    ` Too many calls failed, so these are paused: ${heldBack.join(', ')}.` +
    ' One call a second checks whether it works again.';
  return {
    service: embedded ? 'Embedded REST service, with made-up data' : 'REST service',
    state: describeProbe(reach, status !== undefined) + (heldBack.length > 0 ? paused : ''),
    places: placesOf(facts, { hasStatus: status !== undefined, hasMetrics }),
    example: curlExample(origin + endpoint, example, trusted),
  };
}

/** What there is for a reader. */
export function placesOf(
  { endpoint, trusted }: Pick<LandingFacts, 'endpoint' | 'trusted'>,
  { hasStatus, hasMetrics }: { readonly hasStatus: boolean; readonly hasMetrics: boolean },
): PageLink[] {
  return [
    { path: endpoint, what: trusted ? 'GraphQL' : 'GraphQL for clients, GraphiQL in a browser' },
    { path: DOCS_PATH, what: 'Documentation: getting started, recipes, error codes' },
    { path: SCHEMA_PATH, what: 'The schema, for editors and code generators' },
    { path: APOLLO_PATH, what: 'Cache settings for Apollo Client' },
    { path: GRAPHCACHE_PATH, what: 'Cache settings for Graphcache (urql)' },
    ...PROBE_PLACES,
    ...(hasStatus ? [STATUS_PLACE] : []),
    ...(hasMetrics ? [METRICS_PLACE] : []),
  ];
}

function toneOf({ reach, heldBack }: RestState): 'good' | 'poor' | 'bad' {
  if (heldBack.length > 0 || reach.kind !== 'answered') return 'bad';
  return reach.status < 500 ? 'good' : 'poor';
}

/** Why it cannot be reached is for operators, who see the status too. */
function describeProbe(probe: ProbeResult, isOperator: boolean): string {
  if (probe.kind === 'silent') return 'Does not answer.';
  if (probe.kind === 'unreachable') return `Cannot be reached${isOperator ? ` (${probe.fault})` : ''}.`;
  if (probe.status >= 500) return `Answers with status ${probe.status}.`;
  return `Answered in ${probe.milliseconds} ms.`;
}

const FIGURES = [
  { member: 'operationsPerSecond', label: 'Operations', unit: '/s' },
  { member: 'p95Milliseconds', label: '95th percentile', unit: 'ms' },
  { member: 'restCallsPerSecond', label: 'REST calls', unit: '/s' },
  { member: 'cacheHitPercent', label: 'Cache hits', unit: '%' },
  { member: 'openBreakers', label: 'Open circuit breakers', unit: '' },
] as const;

/** There is no number, for instance, of a duration without operations. The script of the page has this too. */
function figureText(value: number | null | readonly string[]): string {
  if (value === null) return '–';
  return typeof value === 'number' ? String(value) : value.join(', ') || 'none';
}

export function renderHtml(present: Present): string {
  const { facts, status } = present;
  const { service, state, places, example } = contentsOf(present);
  const action = facts.trusted
    ? `<p class="absence">${encoded(NO_GRAPHIQL)}</p>`
    : `<a class="action" href="${encoded(facts.endpoint)}">Open GraphiQL</a>`;
  return htmlDocument(
    TITLE,
    `<style>${LANDING_STYLE}</style>`,
    `<main>
<header>${ICON}<h1>${TITLE}</h1><span>${encoded(facts.version)}</span></header>
<p class="lead">${encoded(LEAD)}</p>
<section class="service ${toneOf(present.state)}">
<h2>${encoded(service)}</h2>
<p>${encoded(state)}</p>
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

export function renderText(present: Present): string {
  const { facts, status } = present;
  const { service, state, places, example } = contentsOf(present);
  const parts = [
    `${TITLE} ${facts.version}`,
    wrapped(LEAD, TEXT_COLUMNS),
    wrapped(`${service}: ${state}`, TEXT_COLUMNS),
    ...(status ? [statusText(status)] : []),
    columns(places.map(({ path, what }) => [path, what])),
    ...(facts.trusted ? [wrapped(NO_GRAPHIQL, TEXT_COLUMNS)] : []),
    example,
  ];
  return `${parts.join('\n\n')}\n`;
}

function statusText(status: Status): string {
  const rows = FIGURES.map(({ label, member, unit }) => {
    const value = status[member];
    return [label, `${figureText(value)} ${value === null ? '' : unit}`.trimEnd()] as const;
  });
  return `The last ${status.seconds} s:\n${columns(rows)}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(widest)}   ${second}`).join('\n');
}

/** The status as a panel that {@link LIVE_SCRIPT} keeps up to date. Without scripts it shows how it was at first. */
function renderPanel(status: Status): string {
  const items = FIGURES.map(({ label, member, unit }) => {
    const value = status[member];
    const hidden = value === null ? ' hidden' : '';
    return `<div><dt>${label}</dt><dd><b data-member="${member}">${encoded(figureText(value))}</b><span${hidden}> ${unit}</span></dd></div>`;
  });
  return `<section class="live" aria-labelledby="live">
<h2 id="live">Activity in the last <span data-member="seconds">${status.seconds}</span> s</h2>
<dl>
${items.join('\n')}
</dl>
<p hidden>The gateway does not answer. These are the last figures it gave.</p>
</section>`;
}

/** Nothing is asked while the page is out of sight. */
const LIVE_SCRIPT = `
const panel = document.querySelector('.live');
const figureText = ${figureText};

async function refresh() {
  if (document.hidden) return;
  const response = await fetch('${STATUS_PLACE.path}').catch(() => undefined);
  const status = response?.ok && (await response.json().catch(() => undefined));
  panel.querySelector('p').hidden = Boolean(status);
  if (!status) return;
  for (const element of panel.querySelectorAll('[data-member]')) {
    const value = status[element.dataset.member];
    element.textContent = figureText(value);
    const unit = element.nextElementSibling;
    if (unit) unit.hidden = value === null;
  }
}

setInterval(refresh, 5000);
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

/** For those who see the panel: the page of others runs no script. */
export const SCRIPT = `${LIVE_SCRIPT}${COPY_SCRIPT}`;
