import type { ExampleCredentials } from '../pages/graphiql.ts';
import { APPLICATION_FIELDS } from './advice.ts';
import { credentialHeaders, type OwnHeaders } from './headers.ts';

export interface CurlRequest {
  readonly url: string;
  readonly credentials: ExampleCredentials;
  readonly own: OwnHeaders;
  readonly operation: { readonly query: string; readonly [name: string]: unknown };
  readonly isSubscription?: boolean;
}

/** A document that names one of these fields may need the application; any other one does not. */
const NEEDS_APPLICATION = new RegExp(`\\b(${[...APPLICATION_FIELDS, 'viewer'].join('|')})\\b`);
const MAY_BE_SECRET = /auth|cookie|key|pass|secret|token/;

/** A command, and the variables in it that stand for all secrets: it is pasted into chats, tickets and histories. */
export function curlOf({ url, credentials, own, operation, isSubscription = false }: CurlRequest) {
  const needed = NEEDS_APPLICATION.test(operation.query) ? credentials : { ...credentials, clientId: '' };
  const given = isSubscription ? { Accept: 'text/event-stream', ...own } : own;
  const headers = [...credentialHeaders(needed, given)].filter(([, value]) => value !== '');
  const secrets = new Map([
    [credentials.token, 'TOKEN'],
    [credentials.clientSecret, 'CLIENT_SECRET'],
    ...headers
      .filter(([name]) => MAY_BE_SECRET.test(name))
      .map(([name, value]): [string, string] => [value.replace(/^(bearer|basic) +/i, ''), variableOf(name)]),
  ]);
  secrets.delete('');
  const quoted = (text: string) => quote(text, secrets);
  const command = [
    // Events are shown as they come.
    `curl ${isSubscription ? '-N ' : ''}${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(JSON.stringify(operation))}`,
  ].join(' \\\n  ');
  const variables = [...new Set(secrets.values())].filter((name) => command.includes(`"$${name}"`));
  return { command, variables };
}

function variableOf(header: string): string {
  if (header === 'authorization') return 'TOKEN';
  return header === 'x-client-authorization' ? 'APPLICATION' : header.toUpperCase().replace(/\W/g, '_');
}

/** In single quotes a shell expands nothing; secrets are left out of them, as variables in double quotes. */
function quote(text: string, secrets: ReadonlyMap<string, string>): string {
  let hidden = text;
  // The longest first, since another may be a part of it.
  for (const [secret, name] of [...secrets].sort(([one], [other]) => other.length - one.length))
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)])
      hidden = hidden.replaceAll(form, `\0${name}\0`);
  const pieces = `'${hidden.replaceAll("'", "'\\''").replace(/\0(\w+)\0/g, `'"$$$1"'`)}'`;
  return pieces.replace(/(?<=")''$/, '');
}
