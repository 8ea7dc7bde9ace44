import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/credentials.ts';
import { checkTrustedDocuments } from '../gateway/documents/trusted-documents.ts';
import { createGateway } from '../gateway/gateway.ts';
import { hostsToOpen } from '../http/addresses.ts';
import { listenAdmin } from '../http/admin.ts';
import { Compression } from '../http/compression.ts';
import { createMetricsPage } from '../http/pages/metrics.ts';
import { createProbes } from '../http/pages/probes.ts';
import { listen } from '../http/server.ts';
import { downloadLimits, uploadLimits } from '../http/transfers.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { shareOf } from '../limits/share.ts';
import { CALL_LIMITS } from '../rest/client/client.ts';
import { schema } from '../schema/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { MetricFamily } from '../telemetry/metrics/family.ts';
import { asksForTraces, startOtlpTracing } from '../telemetry/otlp-tracer.ts';
import { createTelemetry, type TelemetryOptions } from '../telemetry/telemetry.ts';
import { greetingFor } from './greeting.ts';
import { type Builds, createPages, ENDPOINT, factsOf } from './pages.ts';

export interface Running {
  readonly url: string;
  readonly log: Log;
  /** The metrics of this process; none if they are off. */
  metrics(): readonly MetricFamily[];
  /** For a terminal. */
  readonly greeting: string;
  readonly adminPort: number | undefined;
  /** Writes log lines that wait for others, before the process ends abruptly. */
  flushLog(): void;
  /** Waits for operations in flight, at most for the grace period. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Where log lines are written. */
  readonly stream?: TelemetryOptions['stream'];
  /** An embedded REST service that another process has started. */
  readonly embeddedUrl?: string | undefined;
  /** For one of several processes: the metrics of all. */
  readonly collectAll?: () => Promise<readonly MetricFamily[]>;
}

/** Starts the gateway with its pages and telemetry, and without REST_URL also the embedded REST service. */
export async function serve(config: Config, builds: Builds, options: ServeOptions = {}): Promise<Running> {
  const { trustedDocuments, host, workers } = config;
  const { stream = process.stdout, embeddedUrl } = options;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const memory = memoryLimits();
  const isEmbedded = config.restUrl === undefined;
  const demo = isEmbedded && embeddedUrl === undefined ? await startEmbeddedService() : undefined;
  const restUrl = config.restUrl ?? new URL(embeddedUrl ?? demo?.url ?? '');
  const tracing = asksForTraces(process.env) ? await startOtlpTracing(restUrl) : undefined;
  const telemetry = createTelemetry({
    ...config,
    stream,
    // Several processes write to one log.
    ...(workers > 1 && { common: { pid: process.pid } }),
    restUrl,
    tracer: tracing?.tracer,
    state: () => ({ ...gateway.stats(), ...server.stats() }),
  });
  const { log, metrics } = telemetry;
  const gateway = createGateway({
    ...config,
    restUrl,
    ...(isEmbedded && { application: config.application ?? demoCredentials.application }),
    callLimits: {
      running: shareOf(CALL_LIMITS.running, workers),
      waiting: shareOf(CALL_LIMITS.waiting, workers),
    },
    log,
    events: telemetry.restEvents,
  });
  const facts = factsOf(isEmbedded, trustedDocuments !== undefined);
  const compression = new Compression(config.compress);
  const pages = createPages(facts, gateway.restState, compression, builds);
  const operatorPages = metrics ? [createMetricsPage(options.collectAll ?? metrics)] : [];
  const isAdminSeparate = config.adminPort !== undefined;
  const server = await listen(
    {
      ...config,
      maxOperations: shareOf(config.maxOperations, workers),
      endpoint: ENDPOINT,
      gateway,
      routes: isAdminSeparate ? pages : [...operatorPages, ...pages],
      compression,
      log,
      telemetry,
    },
    {
      port: config.port,
      host,
      uploads: uploadLimits(memory.uploadBytes),
      downloads: downloadLimits(memory.unsentBytes),
    },
  );
  const admin =
    config.adminPort === undefined
      ? undefined
      : await listenAdmin([createProbes(server.readiness), ...operatorPages], {
          port: config.adminPort,
          host,
        });

  const urls = hostsToOpen(server.address).map((name) => `http://${name}:${server.port}${ENDPOINT}`);
  const [url = ''] = urls;
  return {
    url,
    log,
    metrics: metrics ?? (() => []),
    greeting: greetingFor(urls, facts),
    adminPort: admin?.port,
    flushLog: () => telemetry.flush(),
    async stop() {
      log('info', 'stopping');
      await server.drain(config.graceMs);
      await Promise.all([gateway.close(), demo?.close(), admin?.close(), tracing?.stop()]);
      log('info', 'stopped');
      await telemetry.stop();
    },
  };
}

/** Imported only if it is used. */
export async function startEmbeddedService() {
  const { startDemoService } = await import('../demo/service.ts');
  return startDemoService();
}
