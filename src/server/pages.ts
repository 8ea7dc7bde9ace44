import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { createDocs } from '../pages/docs.ts';
import { exampleTabs } from '../pages/examples.ts';
import { createGraphiql, createGraphiqlAbsence } from '../pages/graphiql.ts';
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

export interface Builds {
  readonly graphiql: URL;
  readonly docs: URL;
  /** Modules for clients' caches. */
  readonly clients: URL;
}

export function restServiceOf({ restUrl }: Pick<Config, 'restUrl'>): RestService {
  return restUrl === undefined ? 'embedded' : 'REST_URL';
}

const { application, tokens } = demoCredentials;

export function factsOf({ restUrl, trustedDocuments }: Config): LandingFacts {
  const embedded = restUrl === undefined;
  const example = embedded
    ? { token: tokens.companyA, administrationId: '1001' }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { version, endpoint: ENDPOINT, embedded, example, trusted: trustedDocuments !== undefined };
}

export function createPages(
  facts: LandingFacts,
  hasMetrics: boolean,
  compression: Compression,
  builds: Builds,
): Route[] {
  const { endpoint, embedded, trusted } = facts;
  // Over a real service the page starts empty: the user gives the credentials, and ids might be those of other records.
  const settings = embedded
    ? { credentials: { token: tokens.companyA, ...application }, administrationId: '1001' }
    : { credentials: { token: '', clientId: '', clientSecret: '' }, administrationId: '' };
  const tabs = exampleTabs({
    administrationId: settings.administrationId,
    debtorNumber: embedded ? 'D10000' : '',
    taskId: embedded ? '400001' : '',
    messageIds: embedded ? ['500028', 'unknown'] : [''],
  });
  return [
    createLanding(facts, hasMetrics),
    createSchemaText(schema, compression),
    ...createClientModules(builds.clients, compression),
    createDocs(builds.docs, !trusted, compression),
    // With trusted documents only, every request of GraphiQL would be rejected, even its introspection query.
    trusted
      ? createGraphiqlAbsence(endpoint)
      : createGraphiql({ endpoint, tabs, ...settings }, builds.graphiql, compression),
  ];
}

/** What operators look at: probes, and metrics, unless they are off. */
export function operatorPages(
  config: Config,
  readiness: () => Readiness,
  collect: (() => readonly MetricFamily[]) | undefined,
): Route[] {
  const probes = createProbes(readiness, restServiceOf(config));
  return collect ? [probes, createMetricsPage(collect)] : [probes];
}

const ON_ADMIN_PORT = new RequestError(404, 'NOT_FOUND', 'The metrics are at ADMIN_PORT, not at this port.');

/** For those who ask at the port of callers. */
export const metricsElsewhere = pageAt(METRICS_PATH, () => Promise.reject(ON_ADMIN_PORT));
