import type { Config } from '../../src/config/index.ts';
import { type Running, serve } from '../../src/server/serve.ts';

const dist = new URL('../../dist/', import.meta.url);

/** The whole server with the pages that were built, over an embedded service that stands still; its log goes to a stream. */
export function serveBuilt(config: Config, output?: Parameters<typeof serve>[2]): Promise<Running> {
  const builds = {
    graphiql: new URL('graphiql/', dist),
    docs: new URL('docs/', dist),
    clients: new URL('clients/', dist),
  };
  const quiet = { ...config, embeddedChangesMs: 0 };
  return output ? serve(quiet, builds, output) : serve({ ...quiet, logLevel: 'off' }, builds);
}
