import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../rest/call.ts';

/**
 * Basic may stand in `X-Client-Authorization`, so that one operation can use both schemes. Whoever sends a credential of
 * an application, even a wrong one, does not ask for the gateway's own.
 */
export function readCredentials(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization = '', 'x-client-authorization': client } = headers;
  const bearer = parseBearer(authorization);
  const [name, value] = client ? ['X-Client-Authorization', `${client}`] : ['Authorization', authorization];
  const basic = parseBasic(value);
  const isBasicSent = client || /^basic\b/i.test(authorization);
  if (!isBasicSent || basic !== undefined) return { bearer, basic, own };
  const send = `Send \`${name}: Basic <base64 of client id:client secret>\`.`;
  return { bearer, basicProblem: `The credential in \`${name}\` is not base64. ${send}` };
}

// Caches, calls in flight and limits are keyed by the text of a credential: two spellings would count as two callers.
// HTTP allows any case of the scheme, and several spaces behind it.

function parseBearer(value: string): string | undefined {
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(value) ?? [];
  return token && `Bearer ${token}`;
}

/** Base64 has many spellings of the same bytes: without padding, with the letters of URLs, with other bits at the end. */
function parseBasic(value: string): string | undefined {
  const [, text] = /^basic +([\w+/-]+)={0,2}$/i.exec(value) ?? [];
  // Four characters are three bytes, so a single one is left of none.
  if (text === undefined || text.length % 4 === 1) return undefined;
  return `Basic ${Buffer.from(text, 'base64').toString('base64')}`;
}

export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** Browsers send `no-cache` or `no-store` for a reload, and `max-age=0` for `fetch(…, { cache: 'no-cache' })`. */
export function bypassesCache(cacheControl = ''): boolean {
  return /(?:^|,)\s*(?:no-cache|no-store|max-age="?0+"?\s*(?:,|$))/i.test(cacheControl);
}
