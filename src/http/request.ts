import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from './operation.ts';

/** A caller's own name for a request is kept where it is sane. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}

/** What is left of the body is not read, so the connection cannot be used again. */
const CLOSE = { Connection: 'close' };

/** Refuses what HTTP itself rules out, and gives every request for the same thing the same target. */
export function checkRequest(request: IncomingMessage): void {
  if (request.url?.startsWith('/') === false) useOriginForm(request);
  if (!isHost(request.headers.host)) throw new Refusal(400, 'BAD_REQUEST', 'The header `Host` is malformed.');
  // Node shows the first of several; a proxy in front may have gone by the last.
  if (hostsIn(request.rawHeaders) > 1) throw new Refusal(400, 'BAD_REQUEST', 'Send the header `Host` once.');
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new Refusal(417, 'EXPECTATION_FAILED', 'Leave the header `Expect` out.', CLOSE);
  }
}

/** A target as proxies get it, `http://host/path`: its host goes before the header's. */
function useOriginForm(request: IncomingMessage): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Callers use one name or few, so the last that was fine is known. */
let knownHost: string | undefined;

function isHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host !== knownHost && isWellFormed(host)) knownHost = host;
  return host === knownHost;
}

/** Names without odd characters are checked by the URL parser too, which knows addresses and ports. */
function isWellFormed(host: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
}
