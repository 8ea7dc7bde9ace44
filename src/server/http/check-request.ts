import type { IncomingMessage } from 'node:http';
import { badRequest, RequestError } from '../../http/errors.ts';
import { memoizeLast } from '../../http/negotiation.ts';

/** The rest of the body is not read, so the connection cannot be reused. */
export const CLOSE = { connection: 'close' };

export function checkRequest(request: IncomingMessage): void {
  if (request.url?.startsWith('/') === false) useOriginForm(request);
  const { host, expect } = request.headers;
  // HTTP/1.0 has no `Host`, and load balancers use it for health checks.
  if (host === undefined ? request.httpVersion !== '1.0' : !isHost(host)) throw MALFORMED_HOST;
  checkDuplicateHeaders(request.rawHeaders);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw EXPECTATION_FAILED;
}

const MALFORMED_HOST = badRequest('The header `Host` is malformed.');
const SEVERAL_HOSTS = badRequest('Send the header `Host` once.');
const SEVERAL_CREDENTIALS = badRequest('Send the header `Authorization` once.');
const EXPECTATION_FAILED = new RequestError(
  417,
  'EXPECTATION_FAILED',
  'Leave the header `Expect` out.',
  CLOSE,
);

/** Absolute-form target, `http://host/path`, as sent to proxies: its host overrides the header. */
function useOriginForm(request: IncomingMessage): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)/is.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Node keeps the first of duplicates; a proxy in front may have used the last. */
function checkDuplicateHeaders(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: name = '' } = rawHeaders;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) throw SEVERAL_HOSTS;
  if (credentials > 1) throw SEVERAL_CREDENTIALS;
}

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
/** Host names are also checked by the URL parser, which validates addresses and ports. */
const isHost = memoizeLast((host = '') => HOST.test(host) && URL.canParse(`http://${host}`));

const MAX_SPELLINGS = 200;
const spellings = new Map<string, string>();

/** `content-type` as `Content-Type`, which people and their tools look for in HTTP/1.1. */
export function usualSpelling(name: string): string {
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    spelling = name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
    // Names are those of the gateway and of plugins; if one makes them up, this must not grow.
    if (spellings.size < MAX_SPELLINGS) spellings.set(name, spelling);
  }
  return spelling;
}

export function usuallySpelled(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [usualSpelling(name), value]));
}
