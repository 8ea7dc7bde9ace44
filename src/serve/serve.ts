import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/credentials.ts';
import { checkTrustedDocuments } from '../gateway/documents/trusted-documents.ts';
import { createGateway } from '../gateway/gateway.ts';
import { hostsToOpen } from '../http/addresses.ts';
import { listenAdmin } from '../http/admin.ts';
import { Compression } from '../http/compression.ts';
import { createProbes } from '../http/pages/probes.ts';
import { listen } from '../http/server.ts';
import { downloadLimits, uploadLimits } from '../http/transfers.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { schema } from '../schema/index.ts';
import type { Log } from '../telemetry/log.ts';
import { asksForTraces, startOtlpTracing } from '../telemetry/otlp-tracer.ts';
import { createTelemetry, type TelemetryOptions } from '../telemetry/telemetry.ts';
import { version } from '../version.ts';
import { greetingFor } from './greeting.ts';
import { createOperatorPages } from './operator-pages.ts';
import { type Builds, createPages, ENDPOINT, factsOf } from './pages.ts';

export interface Running {
  readonly url: string;
  /** For a terminal. */
  readonly greeting: string;
  readonly adminPort: number | undefined;
  readonly log: Log;
  /** Waits for operations in flight, at most for the grace period. */
  stop(): Promise<void>;
}

/** Starts the gateway with its pages and telemetry, and without REST_URL also the embedded REST service. */
export async function serve(
  config: Config,
  builds: Builds,
  stream: TelemetryOptions['stream'] = process.stdout,
): Promise<Running> {
  const { trustedDocuments, host } = config;
  if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
  const memory = memoryLimits();
  const demo = config.restUrl ? undefined : await startEmbeddedService();
  const restUrl = config.restUrl ?? new URL(demo?.url ?? '');
  const tracing = asksForTraces(process.env) ? await startOtlpTracing(restUrl) : undefined;
  const telemetry = createTelemetry({
    ...config,
    stream,
    restUrl,
    tracer: tracing?.tracer,
    state: () => ({ ...gateway.stats(), ...server.stats() }),
  });
  const { log, metrics } = telemetry;
  const gateway = createGateway({
    ...config,
    restUrl,
    ...(demo && { application: config.application ?? demoCredentials.application }),
    log,
    events: telemetry.restEvents,
  });
  const facts = factsOf(demo !== undefined, trustedDocuments !== undefined);
  const compression = new Compression(config.compress);
  const operatorPages = createOperatorPages(metrics, config.adminPort !== undefined);
  const pages = createPages(
    facts,
    { restState: gateway.restState, statusFor: operatorPages.statusFor },
    compression,
    builds,
  );
  const server = await listen(
    {
      ...config,
      endpoint: ENDPOINT,
      gateway,
      routes: [...operatorPages.main, ...pages],
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
      : await listenAdmin([createProbes(server.readiness), ...operatorPages.admin], {
          port: config.adminPort,
          host,
        });

  const urls = hostsToOpen(server.address).map((name) => `http://${name}:${server.port}${ENDPOINT}`);
  const [url = ''] = urls;
  log('info', `receivables-graphql is ready at ${url}`, { version, pid: process.pid });
  return {
    url,
    greeting: greetingFor(urls, facts),
    adminPort: admin?.port,
    log,
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
async function startEmbeddedService() {
  const { startDemoService } = await import('../demo/service.ts');
  return startDemoService();
}
