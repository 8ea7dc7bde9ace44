import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { createGateway } from '../gateway/gateway.ts';
import { Compression } from '../http/compression.ts';
import { watchHeap } from '../limits/memory.ts';
import { packageFile, version } from '../package.ts';
import { createDocs } from '../pages/docs.ts';
import { curlExample, exampleTabs } from '../pages/examples.ts';
import { createGraphiql } from '../pages/graphiql.ts';
import { createLanding } from '../pages/landing.ts';
import { ENDPOINT, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import { createMetricsPage, createProbes } from '../pages/status.ts';
import { checkTrustedDocuments } from '../request/find-document.ts';
import { probe } from '../rest/client/probe.ts';
import { proxyFor } from '../rest/client/proxy.ts';
import { schema } from '../schema/index.ts';
import type { Details, LogOutput } from '../telemetry/log.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { asksForTraces } from '../telemetry/tracing.ts';
import { listenAdmin } from './node-server.ts';
import { createHttpServer } from './server.ts';

/** How long closing connections to other services and sending spans may take. */
const CLOSE_MS = 2_500;

export type RunningServer = Awaited<ReturnType<typeof serve>>;

/** Starts the gateway, with an embedded REST service if `restUrl` is not set. */
export async function serve(config: Config, stream?: LogOutput) {
  // The embedded service is loaded only if it is used.
  const { startDemoService } = config.restUrl ? {} : await import('../demo/service.ts');
  const demo = await startDemoService?.({ changesMs: config.embeddedChangesMs });
  const service = await createService(config, demo?.url, stream);
  const address = await service.server.listen(config.port, config.host);
  const admin = await listenAdmin(service.operators, config);
  const stop = async () => {
    await service.stop();
    admin?.close();
    await demo?.close();
  };
  return { ...service, ...createGreeting(address, config), address, adminPort: admin?.port, stop };
}

/** Creates a gateway with its pages and telemetry, which does not listen yet. */
async function createService(config: Config, embeddedUrl = '', stream?: LogOutput) {
  const { trustedDocuments, adminPort } = config;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const isEmbedded = config.restUrl === undefined;
  const restUrl = new URL(config.restUrl ?? embeddedUrl);
  const isTraced = asksForTraces(process.env);
  // Loading it takes half a second, and its packages are optional.
  const otlp = isTraced ? await import('../telemetry/otlp.ts').catch(() => undefined) : undefined;
  const tracing = otlp?.startOtlpTracing(restUrl);
  const telemetry = createTelemetry({
    ...config,
    stream,
    restUrl,
    tracer: tracing?.tracer,
    state: () => ({ ...gateway.stats(), connections: server.connections() }),
  });
  const { log, metrics } = telemetry;
  if (isTraced && !tracing) log('warn', 'no traces: the packages of OpenTelemetry are not installed');
  const compression = new Compression(config.compress);
  const probes = createProbes(() => gateway.readiness(), getDisplaySettings(config).restService);
  const operators = config.metrics ? [probes, createMetricsPage(metrics)] : [probes];
  // Probes are always on the public port too.
  const publicOperators = adminPort === undefined ? operators : [probes];
  const gateway = createGateway(
    { ...(isEmbedded && { application }), ...config, restUrl, log, ...(isEmbedded && { noProxy: '*' }) },
    {
      hasPages: true,
      // The embedded data is fictitious, and developers of pages should not have to configure CORS first.
      allowsLocalPages: isEmbedded,
      telemetry,
      events: telemetry,
    },
  );
  const routes = [...publicOperators, ...createPages(config, compression)];
  const server = createHttpServer(gateway, { compression, routes });
  const endWatch = watchHeap((usedBytes) => {
    log('warn', 'heap nearly full', { usedBytes });
    gateway.state.freeMemory();
  });
  return {
    server,
    gateway,
    operators,
    log,
    metrics,
    /** Flushes the log before the process ends abruptly. */
    endLog: telemetry.stop,
    /** Serves requests as before until clients know, while streams end one by one; then drains. */
    async stop(): Promise<void> {
      log('info', 'stopping');
      gateway.state.endSubscriptions(config.drainDelayMs);
      await sleep(config.drainDelayMs);
      const until = performance.now() + config.graceMs;
      await server.drain(config.graceMs);
      // Another replica may wait for the tokens of a refresh, even if its caller has disconnected.
      await Promise.race([
        gateway.state.refreshed(),
        sleep(until - performance.now(), undefined, { ref: false }),
      ]);
      endWatch();
      const closed = Promise.all([gateway.dispose()]).then(tracing?.stop);
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
      log('info', 'stopped');
      await telemetry.stop();
    },
  };
}

/** Logs the start, or prints a greeting for people, and warns if the REST service cannot be reached. */
export async function logStartup(
  { address, log }: Pick<RunningServer, 'address' | 'log'>,
  config: Config,
  extra: Details,
) {
  const { url, greeting, proxy } = createGreeting(address, config);
  const { restUrl, logLevel, logFormat } = config;
  const { restService } = getDisplaySettings(config);
  const service = restUrl?.href;
  const details = { version, ...extra, restService, service, proxy: proxy?.origin };
  if (logLevel === 'off' || logFormat === 'pretty') console.log(greeting);
  else log('info', `receivables-graphql is ready at ${url}`, details);
  if (restUrl === undefined || logLevel === 'off') return;
  const errorType = await probe(restUrl, proxy);
  if (errorType) log('warn', 'REST service cannot be reached: check REST_URL', { service, errorType });
}

/** Some senders, such as `timeout`, signal a process and then its group: both count as one signal. */
const TOGETHER_MS = 100;

/** The first signal lets running operations finish; the second ends the process at once. `more` are further signals. */
export function onStopSignal(stop: () => unknown, stopAtOnce: () => unknown, ...more: string[]): void {
  let since: number | undefined;
  const receive = () => {
    if (since === undefined) stop();
    since ??= performance.now();
    if (performance.now() - since > TOGETHER_MS) stopAtOnce();
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', ...more]) process.on(signal, receive);
}

const { tokens, application } = demoCredentials;

/** Examples on pages and in the greeting. */
const EMBEDDED = {
  restService: 'embedded',
  example: { token: tokens.companyA, administrationId: '1001' },
  ids: {
    administrationId: '1001',
    debtorNumber: 'D10000',
    taskId: '400001',
    messageIds: ['500028', 'unknown'],
  },
  credentials: { token: tokens.companyA, ...application },
} as const;
/** For a real service GraphiQL starts empty: users enter their credentials, and example ids might be real records. */
const REAL = {
  restService: 'REST_URL',
  example: { token: '<your access token>', administrationId: '<your administration>' },
  ids: { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] },
  credentials: { token: '', clientId: '', clientSecret: '' },
} as const;

function getDisplaySettings({ restUrl, trustedDocuments }: Config) {
  const embedded = restUrl === undefined;
  return { ...(embedded ? EMBEDDED : REAL), embedded, trusted: trustedDocuments !== undefined };
}

function createPages(config: Config, compression: Compression): Route[] {
  const display = getDisplaySettings(config);
  const { ids, credentials, trusted } = display;
  const { administrationId } = ids;
  const settings = { endpoint: ENDPOINT, administrationId, tabs: exampleTabs(ids), credentials };
  return [
    createLanding(display, config.metrics && config.adminPort === undefined),
    createSchemaText(schema, compression),
    ...createClientModules(packageFile('dist/clients/'), compression),
    createDocs(packageFile('dist/docs/'), !trusted, compression),
    createGraphiql(settings, packageFile('dist/graphiql/'), trusted, compression),
  ];
}

/** Returns the URL of GraphQL on this machine, and a greeting for the terminal. */
function createGreeting({ address, port }: AddressInfo, config: Config) {
  // A browser cannot open a wildcard address.
  const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(address);
  const host = isLocal ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  const url = `http://${host}:${port}${ENDPOINT}`;
  const { trusted, example } = getDisplaySettings(config);
  const hint = trusted ? 'Send the hash of a trusted document' : 'Open the address in a browser, or run';
  const embedded = `
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${hint}:

${curlExample(url, example, trusted)}
`;
  const { restUrl } = config;
  const proxy = restUrl && proxyFor(restUrl, config);
  const route = proxy ? ` through the proxy ${proxy.origin}` : '';
  const service = restUrl ? `It uses the REST service at ${restUrl.href}${route}\n` : embedded;
  return { url, proxy, greeting: `receivables-graphql is ready at ${url}\n${service}` };
}
