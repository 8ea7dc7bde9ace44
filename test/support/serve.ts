import type { Config } from '../../src/config/index.ts';
import { type RunningServer, serve } from '../../src/server/serve.ts';

/** The whole server with the pages that were built, over an embedded service that stands still; its log goes to a stream. */
export function serveBuilt(config: Config, output?: Parameters<typeof serve>[1]): Promise<RunningServer> {
  const quiet = { ...config, embeddedChangesMs: 0 };
  return output ? serve(quiet, output) : serve({ ...quiet, logLevel: 'off' });
}
