import type { ServerResponse } from 'node:http';
import { pathOf, type Route } from './route.ts';

export type Readiness = 'ready' | 'stopping' | 'overloaded';

/** `/health`: the process lives; `/ready`: it should get requests. */
export function createProbes(readiness: () => Readiness): Route {
  return (request, response) => {
    const path = pathOf(request);
    if (path === '/health') return sendText(response, 200, 'ok');
    if (path !== '/ready') return false;
    const state = readiness();
    return sendText(response, state === 'ready' ? 200 : 503, state);
  };
}

function sendText(response: ServerResponse, status: number, text: string): true {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(`${text}\n`);
  return true;
}
