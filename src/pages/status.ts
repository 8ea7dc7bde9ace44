import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { EXPOSITION_TYPE, exposition, type MetricFamily } from '../telemetry/metrics/metrics.ts';
import type { Status } from '../telemetry/status.ts';
import { METRICS_PLACE, STATUS_PLACE } from './markup.ts';
import { isRead, PAGE_HEADERS, type PageResponse, pageAt, pathOf, READ_ONLY, type Route } from './route.ts';

/** The status, for those who may see it. */
export type StatusFor = (request: IncomingMessage) => Promise<Status> | undefined;

function freshHeaders(contentType: string) {
  return { ...PAGE_HEADERS, 'Content-Type': contentType, 'Cache-Control': 'no-store' };
}

/** `/status`, as JSON. For those who may not see it there is no such page. */
export function createStatusPage(statusFor: StatusFor): Route {
  return (request) => {
    if (pathOf(request) !== STATUS_PLACE.path) return undefined;
    return async () => {
      const status = await statusFor(request);
      if (status === undefined) return undefined;
      if (!isRead(request)) throw READ_ONLY;
      return { ...response(200, 'application/json', JSON.stringify(status)), isOwnBody: true };
    };
  };
}

const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i;
const OF_PROXIES = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/;

interface Caller {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/** What a browser on this machine calls it. Under another name, it is a page of elsewhere that has it asked. */
const LOCAL_HOST = /^(?:localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** Not a proxy on this machine for somebody else, nor a page whose name was made to point to it (DNS rebinding). */
export function isFromThisMachine({ socket, headers }: Caller): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    // HTTP/1.0 needs no host, and no browser speaks it.
    LOCAL_HOST.test(headers.host ?? 'localhost') &&
    !Object.keys(headers).some((name) => OF_PROXIES.test(name))
  );
}

/** Whoever asks more often gets the same again: collecting takes milliseconds, and asks all workers. */
const KEPT_MS = 1_000;

/** `/metrics`, in Prometheus' text format. */
export function createMetricsPage(
  collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>,
  now = () => performance.now(),
): Route {
  let latest: { readonly at: number; readonly body: Promise<Buffer> } | undefined;
  const read = async () => Buffer.from(exposition(await collect()));
  return pageAt(METRICS_PLACE.path, async () => {
    if (latest === undefined || now() - latest.at >= KEPT_MS) latest = { at: now(), body: read() };
    return { status: 200, headers: freshHeaders(EXPOSITION_TYPE), body: await latest.body };
  });
}

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
      const code = status === 'ready' ? 200 : 503;
      return response(code, 'application/json', JSON.stringify({ status, restService }));
    };
  };
}

function response(status: number, type: string, text: string): PageResponse {
  return { status, headers: freshHeaders(`${type}; charset=utf-8`), body: Buffer.from(`${text}\n`) };
}
