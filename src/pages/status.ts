import { exposition, type MetricFamily } from '../telemetry/metrics/metrics.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, pathOf, type Route } from './route.ts';

/** Whoever asks more often gets the same again: collecting takes milliseconds. */
const KEPT_MS = 1_000;

/** `/metrics`, in Prometheus' text format. */
export function createMetricsPage(collect: () => readonly MetricFamily[]): Route {
  let text = '';
  let until = 0;
  return pageAt('/metrics', () => {
    if (performance.now() >= until) {
      text = exposition(collect());
      until = performance.now() + KEPT_MS;
    }
    return response(200, 'text/plain; version=0.0.4', text);
  });
}

export type Readiness = 'ready' | 'stopping' | 'overloaded';

/** `/health`: the process lives; `/ready`: it should get requests, and what stands behind it. */
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
