import type { Config } from '../../src/config/index.ts';
import { type Running, serve } from '../../src/server/serve.ts';

const dist = new URL('../../dist/', import.meta.url);

/** The whole server with the pages that were built, without a log, over an embedded service that stands still. */
export function serveBuilt(config: Config): Promise<Running> {
  const builds = {
    graphiql: new URL('graphiql/', dist),
    docs: new URL('docs/', dist),
    clients: new URL('clients/', dist),
  };
  return serve({ ...config, embeddedChangesMs: 0, logLevel: 'off' }, builds);
}
