import type { IncomingMessage } from 'node:http';
import { type PageResponse, pathOf, type Route } from './route.ts';

export type Readiness = 'ready' | 'stopping' | 'overloaded';

/** What stands behind the gateway. Its address is not for strangers. */
export type RestService = 'embedded' | 'REST_URL';

const HEALTH = '/health';
const READY = '/ready';

export function isProbe(request: IncomingMessage): boolean {
  return [HEALTH, READY].includes(pathOf(request));
}

/** `/health`: the process lives; `/ready`: it should get requests, and what stands behind it. */
export function createProbes(readiness: () => Readiness, restService: RestService): Route {
  return (request) => {
    const path = pathOf(request);
    if (path === HEALTH) return () => response(200, 'text/plain', 'ok');
    if (path !== READY) return undefined;
    return () => {
      const status = readiness();
      const body = JSON.stringify({ status, restService });
      return response(status === 'ready' ? 200 : 503, 'application/json', body);
    };
  };
}

function response(status: number, type: string, text: string): PageResponse {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' };
  return { status, headers, body: Buffer.from(`${text}\n`) };
}
