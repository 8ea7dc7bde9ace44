import { existsSync, readFileSync } from 'node:fs';
import { Compression } from '../http/compression.ts';
import { isRead, pathOf, READ_ONLY, type Route } from './route.ts';
import { StaticPage } from './static-page.ts';

export const GRAPHCACHE_PATH = '/schema/graphcache.js';
export const APOLLO_PATH = '/schema/apollo.js';

const PATHS = [GRAPHCACHE_PATH, '/schema/graphcache.d.ts', APOLLO_PATH, '/schema/apollo.d.ts'];

/**
 * ES modules that tell normalized caches of clients about the schema, with their types, to be downloaded into a
 * project. `npm run codegen` writes them; what was not built is not served.
 */
export function createClientModules(folder: URL, compression = new Compression()): Route {
  const pages = new Map(
    PATHS.flatMap((path) => {
      const file = new URL(path.slice('/schema/'.length), folder);
      if (!existsSync(file)) return [];
      const contentType = `${path.endsWith('.js') ? 'text/javascript' : 'text/plain'}; charset=utf-8`;
      return [[path, new StaticPage(readFileSync(file, 'utf8'), { contentType, compression })]];
    }),
  );
  return (request) => {
    const page = pages.get(pathOf(request));
    if (page === undefined) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    return () => page.responseTo(request);
  };
}
