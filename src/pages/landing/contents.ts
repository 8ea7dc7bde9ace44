import type { RestState } from '../../rest/client/client.ts';
import type { ProbeResult } from '../../rest/client/probe.ts';
import type { Status } from '../../telemetry/status.ts';
import { APOLLO_PATH, GRAPHCACHE_PATH } from '../client-modules.ts';
import { curlExample, type ExampleValues } from '../curl.ts';
import { DOCS_PATH } from '../docs/html.ts';
import { SCHEMA_PATH } from '../schema-text.ts';
import { STATUS_PATH } from '../status.ts';

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
  readonly places: readonly { readonly path: string; readonly what: string }[];
  readonly example: string;
}

export type Tone = 'good' | 'poor' | 'bad';

/** The contents of the page, for both HTML and text. */
export function contentsOf(
  facts: LandingFacts,
  { reach: probe, heldBack: openBreakers }: RestState,
  status: Status | undefined,
  origin: string,
): Contents {
  const { version, endpoint, embedded, example, trusted } = facts;
  return {
    title: 'receivables-graphql',
    version,
    lead:
      'A GraphQL gateway over a REST service for receivables and debtor management. It turns each query into ' +
      'the fewest REST calls, asks them for exactly the fields selected, and sends them as the caller.',
    service: {
      name: embedded ? 'Embedded REST service, with made-up data' : 'REST service',
      tone: openBreakers.length > 0 ? 'bad' : toneOf(probe),
      state: `${describeProbe(probe)}${describeOpenBreakers(openBreakers)}`,
    },
    status,
    graphiql: trusted
      ? { absence: 'There is no GraphiQL here: only known documents are run, by their hashes.' }
      : { path: endpoint },
    places: [
      { path: endpoint, what: trusted ? 'GraphQL' : 'GraphQL, and in a browser GraphiQL' },
      {
        path: DOCS_PATH,
        what: 'Documentation: a cookbook, error codes, credentials',
      },
      { path: SCHEMA_PATH, what: 'The schema, for editors and code generators' },
      { path: APOLLO_PATH, what: 'Settings for the cache of Apollo Client' },
      { path: GRAPHCACHE_PATH, what: 'Settings for Graphcache, the cache of urql' },
      { path: '/health', what: 'Whether the process lives' },
      { path: '/ready', what: 'Whether it takes new work' },
      ...(status ? [{ path: STATUS_PATH, what: 'How it has been doing, in a few numbers' }] : []),
    ],
    example: curlExample({ ...example, url: origin + endpoint, trusted }),
  };
}

function toneOf(probe: ProbeResult): Tone {
  if (probe.kind !== 'answered') return 'bad';
  return probe.status < 500 ? 'good' : 'poor';
}

function describeProbe(probe: ProbeResult): string {
  if (probe.kind === 'silent') return 'Does not answer.';
  if (probe.kind === 'unreachable') return 'Cannot be reached.';
  if (probe.status >= 500) return `Answers with status ${probe.status}.`;
  return `Answered in ${probe.milliseconds} ms.`;
}

function describeOpenBreakers(endpoints: readonly string[]): string {
  if (endpoints.length === 0) return '';
  const calls = endpoints.join(', ');
  return ` After many failures calls are held back: ${calls}. One a second finds out whether it is back.`;
}
