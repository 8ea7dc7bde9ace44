import { exposition, type MetricFamily } from '../telemetry/metrics/metrics.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, pathOf, type Route } from './route.ts';

/** Serves `/metrics` in Prometheus' text format. */
export function createMetricsPage(collect: () => readonly MetricFamily[]): Route {
  return pageAt('/metrics', () => response(200, 'text/plain; version=0.0.4', exposition(collect())));
}

export type Readiness = 'ready' | 'stopping' | 'overloaded' | 'low_memory';

/** Serves `/health`: the process runs; and `/ready`: it accepts requests, and which REST service it uses. */
export function createProbes(readiness: () => Readiness, restService: 'embedded' | 'REST_URL'): Route {
  return (request) => {
    const path = pathOf(request);
    if (path === '/health') return response(200, 'text/plain', 'ok\n');
    if (path !== '/ready') return undefined;
    const status = readiness();
    const text = `${JSON.stringify({ status, restService })}\n`;
    return response(status === 'ready' ? 200 : 503, 'application/json', text);
  };
}

function response(status: number, type: string, text: string): PageResponse {
  const headers = { ...PAGE_HEADERS, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' };
  return { status, headers, body: Buffer.from(text) };
}
