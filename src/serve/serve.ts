import type { Config } from '../config/index.ts';
import { hostsToOpen } from '../guard/addresses.ts';
import { listenAdmin } from '../guard/admin.ts';
import type { Address } from '../guard/guarded-server.ts';
import { createProbes, type RestService } from '../pages/probes.ts';
import { greetingFor } from './greeting.ts';
import { type Builds, ENDPOINT, restServiceOf } from './pages.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';

export interface Running extends Pick<Service, 'log' | 'flushLog'> {
  readonly url: string;
  /** For a terminal. */
  readonly greeting: string;
  readonly restService: RestService;
  readonly adminPort: number | undefined;
  stop(): Promise<void>;
}

/** Starts the gateway in this process. */
export async function serve(config: Config, builds: Builds, options?: ServiceOptions): Promise<Running> {
  const service = await createService(config, builds, options);
  const { server, facts, log } = service;
  const { host, port, adminPort } = config;
  const restService = restServiceOf(config);
  const urls = urlsOf(await server.listen(port, host));
  const { routes, errorPage } = service.adminPages;
  const adminRoutes = [createProbes(server.readiness, restService), ...routes];
  const admin =
    adminPort === undefined
      ? undefined
      : await listenAdmin(adminRoutes, { port: adminPort, host, log, errorPage });
  return {
    url: urls[0] ?? '',
    greeting: greetingFor(urls, facts, config.restUrl),
    restService,
    adminPort: admin?.port,
    log,
    flushLog: service.flushLog,
    async stop() {
      await service.stop();
      await admin?.close();
    },
  };
}

/** Where GraphQL can be reached, first from this machine. */
export function urlsOf({ address, port }: Address): string[] {
  return hostsToOpen(address).map((name) => `http://${name}:${port}${ENDPOINT}`);
}
