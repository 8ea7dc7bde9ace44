import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { createDocs } from '../pages/docs/index.ts';
import { createErrorPage } from '../pages/error-page.ts';
import { type ExampleIds, exampleTabs } from '../pages/examples.ts';
import { createGraphiql, createGraphiqlAbsence, type GraphiqlSettings } from '../pages/graphiql.ts';
import type { LandingFacts } from '../pages/landing/contents.ts';
import { createLanding, type LandingState } from '../pages/landing/index.ts';
import { METRICS_PLACE, PROBE_PLACES, STATUS_PLACE } from '../pages/markup.ts';
import { pageAt, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import {
  createMetricsPage,
  createProbes,
  createStatusPage,
  isFromThisMachine,
  type Readiness,
  type RestService,
  type StatusFor,
} from '../pages/status.ts';
import { schema } from '../schema/index.ts';
import { createStatus, SAMPLE_S, type StatusSource } from '../telemetry/status.ts';
import { version } from '../version.ts';
import type { AdminPages } from './http/admin.ts';

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
  state: LandingState,
  compression: Compression,
  builds: Builds,
): Route[] {
  // With trusted documents only, every request of GraphiQL would be rejected, even its introspection query.
  const hasGraphiql = !facts.trusted;
  return [
    createLanding(facts, state, compression),
    createSchemaText(schema, compression),
    ...createClientModules(builds.clients, compression),
    createDocs(builds.docs, { version, graphiql: hasGraphiql ? facts.endpoint : undefined }, compression),
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

const metricsElsewhere = pageAt(METRICS_PLACE.path, () => Promise.reject(ON_ADMIN_PORT));

/** What operators look at. Where they have a port of their own, the other one shows it to the machine itself alone. */
export function createOperatorPages(
  metrics: StatusSource | undefined,
  isAdminSeparate: boolean,
  readiness: () => Readiness,
  restService: RestService,
) {
  const probes = createProbes(readiness, restService);
  const metricsPages = metrics ? [createMetricsPage(metrics.collect)] : [];
  const status = metrics && createStatus(metrics);
  // A worker may be unable to ask the others while they start or stop.
  const timer = status && setInterval(() => void status.sample().catch(() => {}), SAMPLE_S * 1_000).unref();
  const isStatusSeen = (request: IncomingMessage) =>
    status !== undefined && (!isAdminSeparate || isFromThisMachine(request));
  const statusFor: StatusFor = (request) => (isStatusSeen(request) ? status?.read() : undefined);
  const admin: AdminPages = {
    routes: [probes, createStatusPage(() => status?.read()), ...metricsPages],
    errorPage: createErrorPage(() => [...PROBE_PLACES, ...(status ? [STATUS_PLACE, METRICS_PLACE] : [])]),
  };
  return {
    main: [
      probes,
      createStatusPage(statusFor),
      ...(metrics && isAdminSeparate ? [metricsElsewhere] : metricsPages),
    ],
    admin,
    /** Whether a request to the port that callers use may see the status; and the status, if it may. */
    isStatusSeen,
    statusFor,
    /** Whether `/metrics` is on the port that callers use. */
    hasMetrics: metrics !== undefined && !isAdminSeparate,
    stop: () => clearInterval(timer),
  };
}
