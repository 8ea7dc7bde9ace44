import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../rest/call.ts';

/**
 * Reads credentials. `X-Client-Authorization` may contain the Basic credential, so that one operation can use both
 * schemes. If it is invalid, the gateway's own application is not used instead.
 */
export function readCredentials(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization = '', 'x-client-authorization': client } = headers;
  const bearer = parseBearer(authorization);
  const [name, value] = client ? ['X-Client-Authorization', `${client}`] : ['Authorization', authorization];
  const basic = parseBasic(value);
  const isBasicSent = client || /^basic\b/i.test(authorization);
  if (!isBasicSent || basic !== undefined) return { bearer, basic, application: own };
  const send = `Send \`${name}: Basic <base64 of client id:client secret>\`.`;
  return { bearer, basicProblem: `The credential in \`${name}\` is not base64. ${send}` };
}

// Caches and limits use the text of a credential as their key, so different spellings of one must become equal. HTTP
// allows any case of the scheme, and several spaces after it.

function parseBearer(value: string): string | undefined {
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(value) ?? [];
  return token && `Bearer ${token}`;
}

/** The same bytes can be spelled in Base64 with or without padding, with URL-safe letters, or with other unused bits. */
function parseBasic(value: string): string | undefined {
  const [, text] = /^basic +([\w+/-]+)={0,2}$/i.exec(value) ?? [];
  // Base64 encodes three bytes as four characters, so one leftover character is invalid.
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
