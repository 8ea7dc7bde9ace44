import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { demoCredentials } from './demo/credentials.ts';
import { checkTrustedDocuments } from './gateway/documents/trusted-documents.ts';
import { createGateway } from './gateway/gateway.ts';
import { hostsToOpen } from './http/addresses.ts';
import { Compression } from './http/compression.ts';
import { curlExample } from './http/pages/curl.ts';
import { createDocs } from './http/pages/docs/index.ts';
import { type ExampleIds, exampleTabs } from './http/pages/examples.ts';
import { createGraphiql, type GraphiqlSettings } from './http/pages/graphiql.ts';
import type { LandingFacts } from './http/pages/landing/contents.ts';
import { createLanding } from './http/pages/landing/index.ts';
import { createSchemaText } from './http/pages/schema-text.ts';
import { listen } from './http/server.ts';
import { downloadLimits, uploadLimits } from './http/transfers.ts';
import { memoryLimits } from './limits/memory-limits.ts';
import { logLine } from './log.ts';
import { schema } from './schema/index.ts';
import { version } from './version.ts';

const ENDPOINT = '/graphql';
/** How long closing connections to other services may take on shutdown. */
const CLOSE_MS = 1_000;
const DEMO_IDS: ExampleIds = {
  administrationId: '1001',
  debtorNumber: 'D10000',
  taskId: '400001',
  messageIds: ['500028', 'unknown'],
};
const NO_IDS: ExampleIds = { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] };
const DEMO_EXAMPLE = {
  token: demoCredentials.tokens.companyA,
  administrationId: DEMO_IDS.administrationId,
};

export interface Running {
  readonly url: string;
  /** Printed on startup. */
  readonly greeting: string;
  /** Takes it out of service, then waits for operations in flight, at most for the grace period. */
  stop(): Promise<void>;
}

/**
 * Starts the gateway and its pages, and without REST_URL also the embedded REST service. The documentation is built
 * beside GraphiQL.
 */
export async function serve(
  config: Config,
  graphiqlBuild: URL,
  docsBuild = new URL('../docs/', graphiqlBuild),
): Promise<Running> {
  const { trustedDocuments } = config;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const trusted = trustedDocuments !== undefined;

  const memory = memoryLimits();
  const demo = config.restUrl ? undefined : await startEmbeddedService();
  const gateway = createGateway({
    ...config,
    restUrl: config.restUrl ?? new URL(demo?.url ?? ''),
    ...(demo && { application: config.application ?? demoCredentials.application }),
  });
  const example = demo
    ? DEMO_EXAMPLE
    : { token: '<your access token>', administrationId: '<your administration>' };
  const facts = { version, endpoint: ENDPOINT, embedded: demo !== undefined, example, trusted };
  const compression = new Compression(config.compress);
  const routes = [
    createLanding(facts, gateway.restState, compression),
    createSchemaText(schema, compression),
    createDocs(docsBuild, version, compression),
  ];
  // With trusted documents only, every request of GraphiQL would be rejected, even its introspection query.
  if (!trusted) routes.push(createGraphiql(graphiqlSettings(facts), graphiqlBuild, compression));
  const server = await listen(
    {
      ...config,
      endpoint: ENDPOINT,
      gateway,
      routes,
      compression,
      log: logLine,
    },
    {
      port: config.port,
      host: config.host,
      uploads: uploadLimits(memory.uploadBytes),
      downloads: downloadLimits(memory.unsentBytes),
    },
  );

  const [url = '', ...others] = hostsToOpen(server.address).map(
    (host) => `http://${host}:${server.port}${ENDPOINT}`,
  );
  return {
    url,
    greeting: `receivables-graphql is ready at ${[url, ...others].join('\n  and at ')}\n${demo ? demoHelp(url, trusted) : ''}`,
    async stop() {
      await server.drain(config.graceMs, config.drainDelayMs);
      const closed = Promise.all([gateway.close(), demo?.close()]);
      // Nothing is in flight any more, so there is nothing to wait for if this hangs.
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Imported only if it is used. */
async function startEmbeddedService() {
  const { startDemoService } = await import('./demo/service.ts');
  return startDemoService();
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

function demoHelp(url: string, trusted: boolean): string {
  const { tokens, application } = demoCredentials;
  return `
REST_URL is not set, so an embedded REST service with made-up data stands behind it.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${trusted ? 'Only the documents of TRUSTED_DOCUMENTS are run, by their hashes' : 'Open the address in a browser, or paste'}:

${curlExample({ ...DEMO_EXAMPLE, url, trusted })}
`;
}
