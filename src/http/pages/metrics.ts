import { EXPOSITION_TYPE, exposition, type MetricFamily } from '../../telemetry/metrics/family.ts';
import { isRead, PAGE_HEADERS, pathOf, type Route } from './route.ts';

/** `/metrics`, in Prometheus' text format. */
export function createMetricsPage(
  collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>,
): Route {
  return (request, response) => {
    if (pathOf(request) !== '/metrics' || !isRead(request)) return false;
    return Promise.resolve(collect()).then((families) => {
      const headers = { ...PAGE_HEADERS, 'Content-Type': EXPOSITION_TYPE, 'Cache-Control': 'no-store' };
      response.writeHead(200, headers).end(exposition(families));
      return true;
    });
  };
}
