import type { RestState } from '../../rest/client/client.ts';
import type { ProbeResult } from '../../rest/client/probe.ts';
import type { Status } from '../../telemetry/status.ts';
import { APOLLO_PATH, GRAPHCACHE_PATH } from '../client-modules.ts';
import { DOCS_PATH } from '../docs/html.ts';
import { curlExample, type ExampleValues } from '../examples.ts';
import { NO_GRAPHIQL } from '../graphiql.ts';
import { METRICS_PLACE, type PageLink, PROBE_PLACES, STATUS_PLACE } from '../markup.ts';
import { SCHEMA_PATH } from '../static-page.ts';

/** Facts known at startup. */
export interface LandingFacts {
  readonly version: string;
  readonly endpoint: string;
  /** Whether the embedded REST service is used. The address of any other service is not shown. */
  readonly embedded: boolean;
  readonly example: ExampleValues;
  /** Whether only trusted documents are run, so that there is no GraphiQL. */
  readonly trusted: boolean;
}

export interface Contents {
  readonly title: string;
  readonly version: string;
  readonly lead: string;
  readonly service: { readonly name: string; readonly tone: Tone; readonly state: string };
  /** Undefined for those who may not see it. */
  readonly status: Status | undefined;
  /** The path of GraphiQL, or why there is none. */
  readonly graphiql: { readonly path: string } | { readonly absence: string };
  readonly places: readonly PageLink[];
  readonly example: string;
}

type Tone = 'good' | 'poor' | 'bad';

interface Present {
  readonly facts: LandingFacts;
  readonly state: RestState;
  readonly status: Status | undefined;
  readonly hasMetrics: boolean;
  /** As the reader calls the gateway. */
  readonly origin: string;
}

/** The contents of the page, for both HTML and text. */
export function contentsOf({ facts, state, status, hasMetrics, origin }: Present): Contents {
  const { version, endpoint, embedded, example, trusted } = facts;
  const { reach: probe, heldBack: openBreakers } = state;
  return {
    title: 'receivables-graphql',
    version,
    lead:
      'A GraphQL API for receivables and debtor management. It reads from a REST service, with your access ' +
      'token and in as few calls as your query needs.',
    service: {
      name: embedded ? 'Embedded REST service, with made-up data' : 'REST service',
      tone: openBreakers.length > 0 ? 'bad' : toneOf(probe),
      state: `${describeProbe(probe, status !== undefined)}${describeOpenBreakers(openBreakers)}`,
    },
    status,
    graphiql: trusted ? { absence: NO_GRAPHIQL } : { path: endpoint },
    places: placesOf(facts, { hasStatus: status !== undefined, hasMetrics }),
    example: curlExample({ ...example, url: origin + endpoint, trusted }),
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

function toneOf(probe: ProbeResult): Tone {
  if (probe.kind !== 'answered') return 'bad';
  return probe.status < 500 ? 'good' : 'poor';
}

/** Why it cannot be reached is for operators, who see the status too. */
function describeProbe(probe: ProbeResult, isOperator: boolean): string {
  if (probe.kind === 'silent') return 'Does not answer.';
  if (probe.kind === 'unreachable') return `Cannot be reached${isOperator ? ` (${probe.fault})` : ''}.`;
  if (probe.status >= 500) return `Answers with status ${probe.status}.`;
  return `Answered in ${probe.milliseconds} ms.`;
}

function describeOpenBreakers(endpoints: readonly string[]): string {
  if (endpoints.length === 0) return '';
  const calls = endpoints.join(', ');
  return ` Too many calls failed, so these are paused: ${calls}. One call a second checks whether it works again.`;
}

/** A number of the panel. */
interface Figure {
  readonly member: 'operationsPerSecond' | 'p95Milliseconds' | 'restCallsPerSecond' | 'cacheHitPercent';
  readonly label: string;
  readonly unit: string;
}

export const FIGURES: readonly Figure[] = [
  { member: 'operationsPerSecond', label: 'Operations', unit: '/s' },
  { member: 'p95Milliseconds', label: '95th percentile', unit: 'ms' },
  { member: 'restCallsPerSecond', label: 'REST calls', unit: '/s' },
  { member: 'cacheHitPercent', label: 'Cache hits', unit: '%' },
];

/** What stands for a number that there is none of, such as a duration without operations. */
export const NO_NUMBER = '–';
export const NO_BREAKERS = 'none';

/** With its unit. */
export function figureText(status: Status, { member, unit }: Figure): string {
  const number = status[member];
  return number === null ? NO_NUMBER : `${number} ${unit}`;
}

export function breakersText({ openBreakers }: Status): string {
  return openBreakers.join(', ') || NO_BREAKERS;
}

/** Less than a minute after the start, and more where the process stood still: the computer may have slept. */
export function periodText(seconds: number): string {
  if (seconds >= 60 && seconds < 120) return 'minute';
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
