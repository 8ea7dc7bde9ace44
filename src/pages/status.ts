import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Status } from '../telemetry/status.ts';
import { STATUS_PLACE } from './places.ts';
import { isRead, PAGE_HEADERS, pathOf, READ_ONLY, type Route } from './route.ts';

export const STATUS_PATH = STATUS_PLACE.path;

/** The status, for those who may see it. */
export type StatusFor = (request: IncomingMessage) => Promise<Status> | undefined;

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
};

/** `/status`, as JSON. For those who may not see it there is no such page. */
export function createStatusPage(statusFor: StatusFor): Route {
  return (request) => {
    if (pathOf(request) !== STATUS_PATH) return undefined;
    return async () => {
      const status = await statusFor(request);
      if (status === undefined) return undefined;
      if (!isRead(request)) throw READ_ONLY;
      const body = Buffer.from(`${JSON.stringify(status)}\n`);
      return { status: 200, headers: HEADERS, body, isOwnBody: true };
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

/**
 * Whether somebody on this machine asks, and not a proxy on it for somebody else, nor a page whose name was made to
 * point to this machine (DNS rebinding).
 */
export function isFromThisMachine({ socket, headers }: Caller): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    // HTTP/1.0 needs no host, and no browser speaks it.
    LOCAL_HOST.test(headers.host ?? 'localhost') &&
    !Object.keys(headers).some((name) => OF_PROXIES.test(name))
  );
}
