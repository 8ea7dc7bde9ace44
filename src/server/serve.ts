import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { createGateway } from '../gateway/gateway.ts';
import { Compression } from '../http/compression.ts';
import { watchHeap } from '../limits/memory.ts';
import { ENDPOINT } from '../pages/route.ts';
import { createMetricsPage, createProbes } from '../pages/status.ts';
import { checkTrustedDocuments } from '../request/find-document.ts';
import { schema } from '../schema/index.ts';
import type { LogOutput } from '../telemetry/log.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { asksForTraces } from '../telemetry/tracing.ts';
import { listenAdmin } from './node-server.ts';
import { createPages, getDisplaySettings } from './pages.ts';
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
  return { ...service, url: localUrl(address), address, adminPort: admin?.port, stop };
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
    {
      ...(isEmbedded && { application: demoCredentials.application }),
      ...config,
      restUrl,
      log,
      ...(isEmbedded && { noProxy: '*' }),
    },
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

/** Returns the URL of GraphQL on this machine. */
function localUrl({ address, port }: AddressInfo): string {
  // A browser cannot open a wildcard address.
  const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(address);
  const host = isLocal ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}${ENDPOINT}`;
}
