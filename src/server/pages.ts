import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { createDocs } from '../pages/docs.ts';
import { exampleTabs } from '../pages/examples.ts';
import { createGraphiql } from '../pages/graphiql.ts';
import { createLanding } from '../pages/landing.ts';
import { ENDPOINT, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import { createMetricsPage, createProbes, type Readiness } from '../pages/status.ts';
import { schema } from '../schema/index.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';

/** Where GraphiQL, the documentation and modules for clients' caches are built. */
const BUILT = new URL('../', import.meta.url);

const { application, tokens } = demoCredentials;

/** What the front page and the greeting say of a gateway. */
export function factsOf({ restUrl, trustedDocuments }: Config) {
  const embedded = restUrl === undefined;
  const restService: 'embedded' | 'REST_URL' = embedded ? 'embedded' : 'REST_URL';
  const example = embedded
    ? { token: tokens.companyA, administrationId: '1001' }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { embedded, restService, example, trusted: trustedDocuments !== undefined };
}

export function createPages(config: Config, compression: Compression): Route[] {
  const facts = factsOf(config);
  const { embedded, trusted } = facts;
  // Over a real service the page starts empty: the user gives the credentials, and ids might be those of other records.
  const ids = embedded
    ? {
        administrationId: '1001',
        debtorNumber: 'D10000',
        taskId: '400001',
        messageIds: ['500028', 'unknown'],
      }
    : { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] };
  const settings = {
    endpoint: ENDPOINT,
    tabs: exampleTabs(ids),
    administrationId: ids.administrationId,
    credentials: embedded
      ? { token: tokens.companyA, ...application }
      : { token: '', clientId: '', clientSecret: '' },
  };
  return [
    createLanding(facts, config.metrics && config.adminPort === undefined),
    createSchemaText(schema, compression),
    ...createClientModules(new URL('clients/', BUILT), compression),
    createDocs(new URL('docs/', BUILT), !trusted, compression),
    createGraphiql(settings, new URL('graphiql/', BUILT), trusted, compression),
  ];
}

/** What operators look at: probes, and metrics, unless they are off. */
export function operatorPages(
  config: Config,
  readiness: () => Readiness,
  collect: () => readonly MetricFamily[],
): [probes: Route, ...metrics: Route[]] {
  const probes = createProbes(readiness, factsOf(config).restService);
  return config.metrics ? [probes, createMetricsPage(collect)] : [probes];
}
