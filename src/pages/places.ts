import { encoded } from './markup.ts';

/** Something that the gateway serves. */
export interface Place {
  readonly path: string;
  readonly what: string;
}

export const FRONT_PLACE: Place = { path: '/', what: 'Front page: what this is, and how it is doing' };
/** For the port of operators too. */
export const PROBE_PLACES: readonly Place[] = [
  { path: '/health', what: 'Health check: 200 while the process runs' },
  { path: '/ready', what: 'Readiness check: 200 while it accepts requests' },
];
export const STATUS_PLACE: Place = { path: '/status', what: 'Key figures of the last minute, as JSON' };
export const METRICS_PLACE: Place = { path: '/metrics', what: 'Metrics, for Prometheus' };

export function renderPlaces(places: readonly Place[]): string {
  const rows = places.map(
    ({ path, what }) =>
      `<li><a href="${encoded(path)}"><code>${encoded(path)}</code></a><span>${encoded(what)}</span></li>`,
  );
  return `<ul>\n${rows.join('\n')}\n</ul>`;
}
