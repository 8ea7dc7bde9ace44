import { exposition, type MetricFamily } from '../telemetry/metrics/metrics.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, pathOf, type Route } from './route.ts';

/** Whoever asks more often gets the same again: collecting takes milliseconds, and asks all workers. */
const KEPT_MS = 1_000;

/** `/metrics`, in Prometheus' text format. */
export function createMetricsPage(
  collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>,
  now = () => performance.now(),
): Route {
  let latest: { readonly at: number; readonly body: Promise<Buffer> } | undefined;
  const read = async () => Buffer.from(exposition(await collect()));
  return pageAt(METRICS_PATH, async () => {
    if (latest === undefined || now() - latest.at >= KEPT_MS) latest = { at: now(), body: read() };
    const headers = freshHeaders('text/plain; version=0.0.4; charset=utf-8');
    return { status: 200, headers, body: await latest.body };
  });
}

export const METRICS_PATH = '/metrics';
const HEALTH = '/health';
const READY = '/ready';

export type Readiness = 'ready' | 'stopping' | 'overloaded';

/** What stands behind the gateway. Its address is not for strangers. */
export type RestService = 'embedded' | 'REST_URL';

/** `/health`: the process lives; `/ready`: it should get requests, and what stands behind it. */
export function createProbes(readiness: () => Readiness, restService: RestService): Route {
  return (request) => {
    const path = pathOf(request);
    if (path === HEALTH) return () => response(200, 'text/plain', 'ok');
    if (path !== READY) return undefined;
    return () => {
      const status = readiness();
      const code = status === 'ready' ? 200 : 503;
      return response(code, 'application/json', JSON.stringify({ status, restService }));
    };
  };
}

function response(status: number, type: string, text: string): PageResponse {
  return { status, headers: freshHeaders(`${type}; charset=utf-8`), body: Buffer.from(`${text}\n`) };
}

function freshHeaders(contentType: string) {
  return { ...PAGE_HEADERS, 'Content-Type': contentType, 'Cache-Control': 'no-store' };
}
