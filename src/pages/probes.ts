import type { IncomingMessage } from 'node:http';
import { type PageResponse, pathOf, type Route } from './route.ts';

export type Readiness = 'ready' | 'stopping' | 'overloaded';

const HEALTH = '/health';
const READY = '/ready';

export function isProbe(request: IncomingMessage): boolean {
  return [HEALTH, READY].includes(pathOf(request));
}

/** `/health`: the process lives; `/ready`: it should get requests. */
export function createProbes(readiness: () => Readiness): Route {
  return (request) => {
    const path = pathOf(request);
    if (path === HEALTH) return () => textResponse(200, 'ok');
    if (path !== READY) return undefined;
    return () => {
      const state = readiness();
      return textResponse(state === 'ready' ? 200 : 503, state);
    };
  };
}

function textResponse(status: number, text: string): PageResponse {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: Buffer.from(`${text}\n`) };
}
