import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { createDocs } from '../pages/docs.ts';
import { type ExampleIds, exampleTabs } from '../pages/examples.ts';
import { createGraphiql, createGraphiqlAbsence, type GraphiqlSettings } from '../pages/graphiql.ts';
import { createLanding, type LandingFacts } from '../pages/landing.ts';
import { pageAt, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import {
  createMetricsPage,
  createProbes,
  METRICS_PATH,
  type Readiness,
  type RestService,
} from '../pages/status.ts';
import { schema } from '../schema/index.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';
import { version } from '../version.ts';

export const ENDPOINT = '/graphql';
const DEMO_IDS: ExampleIds = {
  administrationId: '1001',
  debtorNumber: 'D10000',
  taskId: '400001',
  messageIds: ['500028', 'unknown'],
};
const NO_IDS: ExampleIds = { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] };

export interface Builds {
  readonly graphiql: URL;
  readonly docs: URL;
  /** Modules for clients' caches. */
  readonly clients: URL;
}

export function restServiceOf({ restUrl }: Pick<Config, 'restUrl'>): RestService {
  return restUrl === undefined ? 'embedded' : 'REST_URL';
}

export function factsOf(embedded: boolean, trusted: boolean): LandingFacts {
  const example = embedded
    ? { token: demoCredentials.tokens.companyA, administrationId: DEMO_IDS.administrationId }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { version, endpoint: ENDPOINT, embedded, example, trusted };
}

export function createPages(
  facts: LandingFacts,
  hasMetrics: boolean,
  compression: Compression,
  builds: Builds,
): Route[] {
  // With trusted documents only, every request of GraphiQL would be rejected, even its introspection query.
  const hasGraphiql = !facts.trusted;
  return [
    createLanding(facts, hasMetrics),
    createSchemaText(schema, compression),
    ...createClientModules(builds.clients, compression),
    createDocs(builds.docs, hasGraphiql, compression),
    hasGraphiql
      ? createGraphiql(graphiqlSettings(facts), builds.graphiql, compression)
      : createGraphiqlAbsence(facts.endpoint),
  ];
}

/** Over a real service the page starts empty: the user gives the credentials. */
function graphiqlSettings({ endpoint, embedded }: LandingFacts): GraphiqlSettings {
  const ids = embedded ? DEMO_IDS : NO_IDS;
  const { application, tokens } = demoCredentials;
  return {
    endpoint,
    credentials: embedded
      ? { token: tokens.companyA, ...application }
      : { token: '', clientId: '', clientSecret: '' },
    administrationId: ids.administrationId,
    tabs: exampleTabs(ids),
  };
}

const ON_ADMIN_PORT = new RequestError(404, 'NOT_FOUND', 'The metrics are at ADMIN_PORT, not at this port.');

const metricsElsewhere = pageAt(METRICS_PATH, () => Promise.reject(ON_ADMIN_PORT));

/** What operators look at: probes, and metrics, unless these have a port of their own. */
export function createOperatorPages(
  collect: (() => readonly MetricFamily[] | Promise<readonly MetricFamily[]>) | undefined,
  isAdminSeparate: boolean,
  readiness: () => Readiness,
  restService: RestService,
) {
  const probes = createProbes(readiness, restService);
  const metricsPages = collect ? [createMetricsPage(collect)] : [];
  return {
    main: [probes, ...(collect && isAdminSeparate ? [metricsElsewhere] : metricsPages)],
    admin: [probes, ...metricsPages],
    /** Whether `/metrics` is on the port that callers use. */
    hasMetrics: collect !== undefined && !isAdminSeparate,
  };
}
