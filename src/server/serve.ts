import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { createGateway } from '../gateway/gateway.ts';
import { Compression } from '../http/compression.ts';
import { watchHeap } from '../limits/memory.ts';
import { checkTrustedDocuments } from '../request/documents/stored-documents.ts';
import { probe } from '../rest/client/probe.ts';
import { schema } from '../schema/index.ts';
import type { Details, Log, LogOutput } from '../telemetry/log.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { asksForTraces } from '../telemetry/tracing.ts';
import { version } from '../version.ts';
import { listenAdmin } from './node-server.ts';
import { createHttpServer } from './server.ts';
import { createPages, factsOf, greetingAt, operatorPages } from './site.ts';

/** How long connections to other services may take to close, and spans to be sent. */
const CLOSE_MS = 2_500;

interface ServiceOptions {
  /** Where the log goes; standard output by default. */
  readonly stream?: LogOutput;
  /** For one of several processes: the metrics of all. */
  readonly collectAll?: () => readonly MetricFamily[];
}

export type Running = Awaited<ReturnType<typeof serve>>;

/** Starts the gateway, and an embedded service if it needs one. */
export async function serve(config: Config, options?: ServiceOptions) {
  const demo = config.restUrl ? undefined : await startEmbeddedService(config);
  const service = await createService(config, demo?.url, options);
  const greeting = greetingAt(await service.server.listen(config.port, config.host), config);
  const admin = await listenAdmin(service.operators, config);
  const stop = async () => {
    await service.stop();
    admin?.close();
    await demo?.close();
  };
  return { ...service, ...greeting, adminPort: admin?.port, stop };
}

/** A gateway with its pages and telemetry, which does not listen yet; without `restUrl`, over an embedded service. */
export async function createService(config: Config, embeddedUrl = '', options: ServiceOptions = {}) {
  const { trustedDocuments, adminPort } = config;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const isEmbedded = config.restUrl === undefined;
  const restUrl = new URL(config.restUrl ?? embeddedUrl);
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
  const operators = operatorPages(config, () => gateway.readiness(), options.collectAll ?? metrics);
  // Probes are on the public port too.
  const publicOperators = adminPort === undefined ? operators : operators.slice(0, 1);
  const gateway = createGateway(
    {
      ...config,
      restUrl,
      ...(isEmbedded && { application: config.application ?? demoCredentials.application }),
      sharingEvents: telemetry,
      log,
    },
    {
      routes: [...publicOperators, ...createPages(config, compression)],
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
    gateway,
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
      gateway.endSubscriptions(spreadMs);
      await sleep(delayMs);
      await server.drain(config.graceMs);
      // Nobody is connected any more, so there is nobody to keep waiting if this hangs.
      endWatch();
      const close = async () => {
        await gateway.dispose();
        // Then operations that were cut have ended, too.
        await turn();
        await tracing?.stop();
      };
      await Promise.race([close(), sleep(CLOSE_MS, undefined, { ref: false })]);
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

/** A log for machines has a line for the start; people get a greeting. Nobody waits for the REST service. */
export async function announce(
  { url, greeting, log }: { url: string; greeting: string; log: Log },
  config: Config,
  details: Details,
): Promise<void> {
  const { restUrl, logLevel, logFormat } = config;
  const service = restUrl?.href;
  const more = { version, ...details, restService: factsOf(config).restService, service };
  if (logLevel === 'off' || logFormat === 'pretty') console.log(greeting);
  else log('info', `receivables-graphql is ready at ${url}`, more);
  if (restUrl === undefined || logLevel === 'off') return;
  const reach = await probe(restUrl);
  if (reach.kind === 'answered') return;
  const errorType = reach.kind === 'silent' ? 'answer_timeout' : reach.fault;
  log('warn', 'REST service cannot be reached: check REST_URL', { service, errorType });
}

/** `timeout`, for one, signals a process and then its group: signals that come together are one. */
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
