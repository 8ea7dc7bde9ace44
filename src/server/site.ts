import type { AddressInfo } from 'node:net';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { createDocs } from '../pages/docs.ts';
import { curlExample, exampleTabs } from '../pages/examples.ts';
import { createGraphiql } from '../pages/graphiql.ts';
import { createLanding } from '../pages/landing.ts';
import { ENDPOINT, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import { createMetricsPage, createProbes, type Readiness } from '../pages/status.ts';
import { schema } from '../schema/index.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';

/** Where GraphiQL, the documentation and modules for clients' caches are built. */
const BUILT = new URL('../', import.meta.url);

const { tokens, application } = demoCredentials;

/** Over a real service the page starts empty: the user gives the credentials, and ids might be those of other records. */
const NO_IDS = { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] };
const NO_CREDENTIALS = { token: '', clientId: '', clientSecret: '' };
const IDS = {
  administrationId: '1001',
  debtorNumber: 'D10000',
  taskId: '400001',
  messageIds: ['500028', 'unknown'],
};
const CREDENTIALS = { token: tokens.companyA, ...application };

/** What the front page and the greeting say of a gateway. */
export function factsOf({ restUrl, trustedDocuments }: Config) {
  const embedded = restUrl === undefined;
  const restService: 'embedded' | 'REST_URL' = embedded ? 'embedded' : 'REST_URL';
  const example = embedded
    ? { token: tokens.companyA, administrationId: '1001' }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { embedded, restService, example, trusted: trustedDocuments !== undefined };
}

/** What people look at. */
export function createPages(config: Config, compression: Compression): Route[] {
  const facts = factsOf(config);
  const { embedded, trusted } = facts;
  const ids = embedded ? IDS : NO_IDS;
  const credentials = embedded ? CREDENTIALS : NO_CREDENTIALS;
  const { administrationId } = ids;
  const settings = { endpoint: ENDPOINT, administrationId, tabs: exampleTabs(ids), credentials };
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
): Route[] {
  const probes = createProbes(readiness, factsOf(config).restService);
  return config.metrics ? [probes, createMetricsPage(collect)] : [probes];
}

/** Where GraphQL can be reached from this machine, and what people are told who start it at a terminal. */
export function greetingAt({ address, port }: AddressInfo, config: Config) {
  // A wildcard is an address to listen on, and none to open.
  const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(address);
  const host = isLocal ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  const url = `http://${host}:${port}${ENDPOINT}`;
  const { trusted, example } = factsOf(config);
  const invitation = trusted
    ? 'It runs only the documents in TRUSTED_DOCUMENTS. Send their hashes, for example'
    : 'Open the address in a browser, or run';
  const embedded = `
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${invitation}:

${curlExample(url, example, trusted)}
`;
  const service = config.restUrl ? `It uses the REST service at ${config.restUrl.href}\n` : embedded;
  return { url, greeting: `receivables-graphql is ready at ${url}\n${service}` };
}
