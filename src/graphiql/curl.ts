import type { ExampleCredentials } from '../pages/graphiql.ts';
import { APPLICATION_FIELDS } from './advice.ts';
import { buildCredentialHeaders, type TabHeaders } from './headers.ts';

export interface CurlRequest {
  readonly url: string;
  readonly credentials: ExampleCredentials;
  readonly tabHeaders: TabHeaders;
  readonly operation: { readonly query: string; readonly [name: string]: unknown };
  readonly isSubscription?: boolean;
}

/** A document without any of these names does not need the application. */
const NEEDS_APPLICATION = new RegExp(`\\b(${[...APPLICATION_FIELDS, 'viewer'].join('|')})\\b`);
const MAY_BE_SECRET = /auth|cookie|key|pass|secret|token/;

/** Returns a command in which variables replace all secrets, since people paste it into chats and tickets. */
export function buildCurl(request: CurlRequest) {
  const { url, credentials, tabHeaders, operation, isSubscription = false } = request;
  const needed = NEEDS_APPLICATION.test(operation.query) ? credentials : { ...credentials, clientId: '' };
  const extraHeaders = isSubscription ? { Accept: 'text/event-stream', ...tabHeaders } : tabHeaders;
  const headers = [...buildCredentialHeaders(needed, extraHeaders)].filter(([, value]) => value !== '');
  const secrets = new Map([
    [credentials.token, 'TOKEN'],
    [credentials.clientSecret, 'CLIENT_SECRET'],
    ...headers
      .filter(([name]) => MAY_BE_SECRET.test(name))
      .map(([name, value]): [string, string] => [
        value.replace(/^(bearer|basic) +/i, ''),
        getVariableName(name),
      ]),
  ]);
  secrets.delete('');
  const command = [
    // `-N` shows events as they arrive.
    `curl ${isSubscription ? '-N ' : ''}${quote(url, secrets)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`, secrets)}`),
    `-d ${quote(JSON.stringify(operation), secrets)}`,
  ].join(' \\\n  ');
  const variables = [...new Set(secrets.values())].filter((name) => command.includes(`"$${name}"`));
  return { command, variables };
}

function getVariableName(header: string): string {
  if (header === 'authorization') return 'TOKEN';
  return header === 'x-client-authorization' ? 'APPLICATION' : header.toUpperCase().replace(/\W/g, '_');
}

/** Quotes a text for a shell: single quotes prevent expansion, and double-quoted variables replace secrets. */
function quote(text: string, secrets: ReadonlyMap<string, string>): string {
  let masked = text;
  // The longest secret first, since it may contain another one.
  for (const [secret, name] of [...secrets].sort(([a], [b]) => b.length - a.length))
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)])
      masked = masked.replaceAll(form, `\0${name}\0`);
  const pieces = `'${masked.replaceAll("'", "'\\''").replace(/\0(\w+)\0/g, `'"$$$1"'`)}'`;
  return pieces.replace(/(?<=")''$/, '');
}
