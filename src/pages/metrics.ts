import { EXPOSITION_TYPE, exposition, type MetricFamily } from '../telemetry/metrics/family.ts';
import { METRICS_PLACE } from './places.ts';
import { isReadOf, PAGE_HEADERS, type Route } from './route.ts';

/** Whoever asks more often gets the same again: collecting takes milliseconds, and asks all workers. */
const KEPT_MS = 1_000;

const HEADERS = { ...PAGE_HEADERS, 'Content-Type': EXPOSITION_TYPE, 'Cache-Control': 'no-store' };

/** `/metrics`, in Prometheus' text format. */
export function createMetricsPage(
  collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>,
  now = () => performance.now(),
): Route {
  let latest: { readonly at: number; readonly body: Promise<Buffer> } | undefined;
  const read = async () => Buffer.from(exposition(await collect()));
  const respond = async () => {
    if (latest === undefined || now() - latest.at >= KEPT_MS) latest = { at: now(), body: read() };
    return { status: 200, headers: HEADERS, body: await latest.body };
  };
  return (request) => (isReadOf(METRICS_PLACE.path, request) ? respond : undefined);
}
