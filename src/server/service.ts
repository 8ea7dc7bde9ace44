import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { createGateway } from '../gateway/gateway.ts';
import { Compression } from '../http/compression.ts';
import { watchHeap } from '../limits/memory.ts';
import { createDocs } from '../pages/docs.ts';
import { exampleTabs } from '../pages/examples.ts';
import { createGraphiql } from '../pages/graphiql.ts';
import { createLanding } from '../pages/landing.ts';
import { ENDPOINT, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import { createMetricsPage, createProbes, type Readiness } from '../pages/status.ts';
import { checkTrustedDocuments } from '../request/documents.ts';
import { schema } from '../schema/index.ts';
import type { LogOutput } from '../telemetry/log.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { asksForTraces } from '../telemetry/tracing.ts';
import { createHttpServer } from './server.ts';

/** How long connections to other services may take to close, and spans to be sent. */
const CLOSE_MS = 2_500;

export interface ServiceOptions {
  /** Where the log goes; standard output by default. */
  readonly stream?: LogOutput;
  /** An embedded REST service that another process has started. */
  readonly embeddedUrl?: string | undefined;
  /** For one of several processes: the metrics of all. */
  readonly collectAll?: () => readonly MetricFamily[];
}

/** A gateway with its pages and telemetry, which does not listen yet; without `restUrl`, over an embedded service. */
export async function createService(config: Config, options: ServiceOptions = {}) {
  const { trustedDocuments, adminPort } = config;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const isEmbedded = config.restUrl === undefined;
  const demo = isEmbedded && !options.embeddedUrl ? await startEmbeddedService(config) : undefined;
  const restUrl = config.restUrl ?? new URL(demo?.url ?? options.embeddedUrl ?? '');
  // It takes half a second to load.
  const tracing = asksForTraces(process.env)
    ? (await import('../telemetry/otlp.ts')).startOtlpTracing(restUrl)
    : undefined;
  const telemetry = createTelemetry({
    ...config,
    stream: options.stream,
    restUrl,
    tracer: tracing?.tracer,
    state: () => ({ ...gateway.stats(), connections: server.connections() }),
  });
  const { log, metrics } = telemetry;
  const compression = new Compression(config.compress);
  const operators = operatorPages(config, () => server.readiness(), options.collectAll ?? metrics);
  const [probes] = operators;
  const gateway = createGateway(
    {
      ...config,
      restUrl,
      ...(isEmbedded && { application: config.application ?? demoCredentials.application }),
      sharingEvents: telemetry,
      log,
    },
    {
      routes: [...(adminPort === undefined ? operators : [probes]), ...createPages(config, compression)],
      // Its data is made up, and whoever tries a page on it should not have to restart the gateway first.
      allowsLocalPages: isEmbedded,
      telemetry,
      events: telemetry,
    },
  );
  const server = createHttpServer(gateway, { compression, log, telemetry });
  const endWatch = watchHeap((usedBytes) => {
    log('warn', 'heap nearly full', { usedBytes });
    gateway.relieve();
  });
  return {
    server,
    operators,
    log,
    metrics,
    /** Before the process ends abruptly. */
    endLog: telemetry.stop,
    /**
     * Leaves the rotation, with an end of streams that is spread over so many milliseconds. Until clients know, requests are
     * served as before; then those in flight have the grace period.
     */
    async stop(delayMs = config.drainDelayMs, spreadMs = delayMs): Promise<void> {
      log('info', 'stopping');
      server.leaveRotation(spreadMs);
      await sleep(delayMs);
      await server.drain(config.graceMs);
      // Nobody is connected any more, so there is nobody to keep waiting if this hangs.
      endWatch();
      const ended = Promise.all([gateway.dispose(), server.settled()]);
      const closed = Promise.all([ended.then(() => tracing?.stop()), demo?.close()]);
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
      log('info', 'stopped');
      await telemetry.stop();
    },
  };
}

/** Imported only if it is used. */
export async function startEmbeddedService({ embeddedChangesMs }: Pick<Config, 'embeddedChangesMs'>) {
  const { startDemoService } = await import('../demo/service.ts');
  return startDemoService({ changesMs: embeddedChangesMs });
}

/** Where GraphiQL, the documentation and modules for clients' caches are built. */
const BUILT = new URL('../', import.meta.url);

/** What the front page and the greeting say of a gateway. */
export function factsOf({ restUrl, trustedDocuments }: Config) {
  const embedded = restUrl === undefined;
  const restService: 'embedded' | 'REST_URL' = embedded ? 'embedded' : 'REST_URL';
  const example = embedded
    ? { token: demoCredentials.tokens.companyA, administrationId: '1001' }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { embedded, restService, example, trusted: trustedDocuments !== undefined };
}

function createPages(config: Config, compression: Compression): Route[] {
  const facts = factsOf(config);
  const { embedded, trusted } = facts;
  const { tokens, application } = demoCredentials;
  // Over a real service the page starts empty: the user gives the credentials, and ids might be those of other records.
  const ifEmbedded = (text: string) => (embedded ? text : '');
  const administrationId = ifEmbedded('1001');
  const tabs = exampleTabs({
    administrationId,
    debtorNumber: ifEmbedded('D10000'),
    taskId: ifEmbedded('400001'),
    messageIds: embedded ? ['500028', 'unknown'] : [''],
  });
  const credentials = {
    token: ifEmbedded(tokens.companyA),
    clientId: ifEmbedded(application.clientId),
    clientSecret: ifEmbedded(application.clientSecret),
  };
  const settings = { endpoint: ENDPOINT, tabs, administrationId, credentials };
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
