import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { createGateway } from '../gateway/gateway.ts';
import type { HostOptions } from '../gateway/gateway-state.ts';
import { Compression } from '../http/compression.ts';
import { shareOf } from '../limits/fair-share.ts';
import { watchHeap } from '../limits/heap-watch.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { StartQueue } from '../limits/start-queue.ts';
import { createErrorPage } from '../pages/error-page.ts';
import { placesOf } from '../pages/landing/contents.ts';
import { FRONT_PLACE } from '../pages/markup.ts';
import { checkTrustedDocuments } from '../request/documents/stored-documents.ts';
import { CALL_LIMITS } from '../rest/client/client.ts';
import { schema } from '../schema/index.ts';
import type { MetricFamily } from '../telemetry/metrics/metrics.ts';
import { createTelemetry, type TelemetryOptions } from '../telemetry/telemetry.ts';
import { asksForTraces, startOtlpTracing } from '../telemetry/tracing.ts';
import { createHttpServer, type DrainDelays } from './http/server.ts';
import { downloadLimits, uploadLimits } from './http/transfers.ts';
import { type Builds, createOperatorPages, createPages, ENDPOINT, factsOf, restServiceOf } from './pages.ts';

/** How long connections to other services may take to close, and spans to be sent. */
const CLOSE_MS = 2_500;

export interface ServiceOptions {
  readonly stream?: TelemetryOptions['stream'];
  /** An embedded REST service that another process has started. */
  readonly embeddedUrl?: string | undefined;
  /** For one of several processes: what they share. */
  readonly sharedBy?: HostOptions['sharedBy'];
  /** For one of several processes: the metrics of all. */
  readonly collectAll?: () => Promise<readonly MetricFamily[]>;
}

export type Service = Awaited<ReturnType<typeof createService>>;

/** A gateway with its pages and telemetry, which does not listen yet; without `restUrl`, over an embedded service. */
export async function createService(config: Config, builds: Builds, options: ServiceOptions = {}) {
  const { trustedDocuments, workers } = config;
  const { stream = process.stdout, embeddedUrl } = options;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const memory = memoryLimits();
  const isEmbedded = config.restUrl === undefined;
  const demo = isEmbedded && embeddedUrl === undefined ? await startEmbeddedService(config) : undefined;
  const restUrl = config.restUrl ?? new URL(embeddedUrl ?? demo?.url ?? '');
  const tracing = asksForTraces(process.env) ? await startOtlpTracing(restUrl) : undefined;
  const telemetry = createTelemetry({
    ...config,
    stream,
    // Several processes write to one log.
    ...(workers > 1 && { common: { pid: process.pid } }),
    restUrl,
    tracer: tracing?.tracer,
    state: () => {
      const [ofGateway, ofServer] = [gateway.stats(), server.stats()];
      return { ...ofGateway, ...ofServer, memory: { ...ofGateway.memory, ...ofServer.memory } };
    },
  });
  const { log, metrics } = telemetry;
  const facts = factsOf(isEmbedded, trustedDocuments !== undefined);
  const compression = new Compression(config.compress);
  const startQueue = new StartQueue();
  const operatorPages = createOperatorPages(
    metrics && { collect: options.collectAll ?? metrics, isFromStart: options.collectAll === undefined },
    config.adminPort !== undefined,
    () => server.readiness(),
    restServiceOf(config),
  );
  const { isStatusSeen, statusFor, hasMetrics } = operatorPages;
  const landing = { restState: () => gateway.restState(), statusFor, hasMetrics };
  const gateway = createGateway(
    {
      ...config,
      restUrl,
      ...(isEmbedded && { application: config.application ?? demoCredentials.application }),
      graphqlEndpoint: ENDPOINT,
      maxOperations: shareOf(config.maxOperations, workers),
      maxExports: shareOf(config.maxExports, workers),
      maxSubscriptions: shareOf(config.maxSubscriptions, workers),
      sharingEvents: telemetry.sharingEvents,
      log,
    },
    {
      routes: [...operatorPages.main, ...createPages(facts, landing, compression, builds)],
      errorPage: createErrorPage((request) => [
        FRONT_PLACE,
        ...placesOf(facts, { hasStatus: isStatusSeen(request), hasMetrics }),
      ]),
      // Its data is made up, and whoever tries a page on it should not have to restart the gateway first.
      allowsLocalPages: isEmbedded,
      telemetry,
      events: telemetry.restEvents,
      callLimits: {
        running: shareOf(CALL_LIMITS.running, workers),
        waiting: shareOf(CALL_LIMITS.waiting, workers),
      },
      sharedBy: options.sharedBy,
      startQueue,
    },
  );
  const server = createHttpServer(gateway, {
    connectionBytes: memory.connectionBytes,
    uploads: uploadLimits(memory.uploadBytes),
    downloads: downloadLimits(memory.unsentBytes),
    compression,
    startQueue,
    log,
    telemetry,
  });
  const endWatch = watchHeap((usedBytes) => {
    log('warn', 'heap nearly full', { usedBytes });
    gateway.relieve();
    server.relieve();
  });
  return {
    server,
    facts,
    adminPages: operatorPages.admin,
    log,
    /** The metrics of this process; none if they are off. */
    metrics: metrics ?? (() => []),
    /** Writes log lines that wait for others, before the process ends abruptly. */
    flushLog: () => telemetry.flush(),
    /** Takes it out of service, then waits for operations in flight, at most for the grace period. */
    async stop(delays: DrainDelays = { delayMs: config.drainDelayMs }): Promise<void> {
      log('info', 'stopping');
      operatorPages.stop();
      await server.drain(config.graceMs, delays);
      // Nobody is connected any more, so there is nobody to keep waiting if this hangs.
      endWatch();
      const ended = Promise.all([gateway.dispose(), server.settled()]);
      const closed = Promise.all([ended.then(() => tracing?.stop()), demo?.close()]);
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
      telemetry.flush();
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
