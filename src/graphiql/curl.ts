import type { ExampleCredentials } from '../pages/graphiql.ts';
import { APPLICATION_FIELDS } from './advice.ts';

export interface CodeRequest {
  readonly url: string;
  readonly credentials: ExampleCredentials;
  /** The headers that the tab itself names. */
  readonly own: OwnHeaders;
  readonly operation: { readonly query: string; readonly [name: string]: unknown };
  readonly isSubscription?: boolean | undefined;
}

/** Shell variables by the secrets that they stand for. */
type Secrets = ReadonlyMap<string, string>;

const TOKEN = 'authorization';
const APPLICATION = 'x-client-authorization';
/** A document that names one of these fields may need the application; any other one does not. */
const NEEDS_APPLICATION = new RegExp(`\\b(${[...APPLICATION_FIELDS, 'viewer'].join('|')})\\b`);
const MAY_BE_SECRET = /auth|cookie|key|pass|secret|token/;
const VARIABLES: { readonly [header: string]: string } = { [TOKEN]: 'TOKEN', [APPLICATION]: 'APPLICATION' };

export const LANGUAGES = ['cURL', 'fetch', 'Python'] as const;

/** Variables stand for all secrets: the text is pasted into chats, tickets and histories. */
export function codeOf(language: (typeof LANGUAGES)[number], request: CodeRequest) {
  const { credentials, operation, isSubscription } = request;
  const own = isSubscription ? { Accept: 'text/event-stream', ...request.own } : request.own;
  const needed = NEEDS_APPLICATION.test(operation.query) ? credentials : { ...credentials, clientId: '' };
  const headers = [...credentialHeaders(needed, own)].filter(([, value]) => value !== '');
  if (isSubscription && language !== 'cURL')
    throw new Error('A subscription is answered with a stream: copy it as cURL.');
  const secrets = secretsIn(credentials, headers);
  const writer = WRITERS[language];
  const quoted = (text: string) => piecesOf(text, secrets, writer).join(writer.joint);
  const named = headers.map(([name, value]) => [titled(name), value] as const);
  const text = writer.write(request, named, quoted);
  const variables = [...new Set(secrets.values())].filter((name) => text.includes(writer.variable(name)));
  return { text, variables };
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** How a language writes a text: in pieces, of which the secret ones are variables. */
interface Writer {
  readonly literal: (piece: string) => string;
  readonly variable: (name: string) => string;
  readonly joint: string;
  readonly write: (request: CodeRequest, headers: Entries, quoted: (text: string) => string) => string;
}

const WRITERS: Readonly<Record<(typeof LANGUAGES)[number], Writer>> = {
  cURL: {
    // In single quotes a shell expands nothing; a secret is left out of them as a variable in double quotes.
    literal: (piece) => `'${piece.replaceAll("'", "'\\''")}'`,
    variable: (name) => `"$${name}"`,
    joint: '',
    write: ({ url, operation, isSubscription }, headers, quoted) =>
      [
        // Events are shown as they come.
        `curl ${isSubscription ? '-N ' : ''}${quoted(url)}`,
        ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
        `-d ${quoted(JSON.stringify(operation))}`,
      ].join(' \\\n  '),
  },
  fetch: {
    literal: (piece) => `\`${piece.replace(/[`\\]|\$\{/g, '\\$&')}\``,
    variable: (name) => `process.env.${name}`,
    joint: ' + ',
    write: ({ url, operation }, headers, quoted) => `const response = await fetch(${quoted(url)}, {
  method: 'POST',
  headers: {${membersOf(headers, quoted)}
  },
  body: JSON.stringify({${membersOf(Object.entries(operation), quoted, 'JSON.parse')}
  }),
});
console.log(await response.json());
`,
  },
  Python: {
    literal: (piece) => `"""${piece.replace(/["\\]/g, '\\$&')}"""`,
    variable: (name) => `os.environ["${name}"]`,
    joint: ' + ',
    write: ({ url, operation }, headers, quoted) => `import json, os, urllib.error, urllib.request

request = urllib.request.Request(${quoted(url)},
  headers={${membersOf(headers, quoted)}
  },
  data=json.dumps({${membersOf(Object.entries(operation), quoted, 'json.loads')}
  }).encode(),
)
try:
  response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
  response = error  # Its body says why.
print(json.load(response))
`,
  },
};

/** Of an object in a language; what is no text is parsed there. */
function membersOf(entries: Entries, quoted: (text: string) => string, parser = ''): string {
  const written = (value: unknown) =>
    typeof value === 'string' ? quoted(value) : `${parser}(${quoted(JSON.stringify(value))})`;
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `\n    "${name}": ${written(value)},`)
    .join('');
}

function secretsIn(
  { token, clientSecret }: ExampleCredentials,
  headers: readonly [string, string][],
): Secrets {
  const secrets = new Map([
    [token, 'TOKEN'],
    [clientSecret, 'CLIENT_SECRET'],
  ]);
  for (const [name, value] of headers.filter(([name]) => MAY_BE_SECRET.test(name))) {
    const withoutScheme = value.replace(/^(bearer|basic) +/i, '');
    secrets.set(withoutScheme, VARIABLES[name] ?? `HEADER_${name.toUpperCase().replace(/\W/g, '_')}`);
  }
  secrets.delete('');
  return secrets;
}

function piecesOf(text: string, secrets: Secrets, { literal, variable }: Writer): string[] {
  const forms = [...secrets.keys()].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // The longest first, since another may be a part of it.
  const patterns = forms
    .sort((one, other) => other.length - one.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const parts = patterns.length > 0 ? text.split(new RegExp(`(${patterns.join('|')})`)) : [text];
  return parts
    .map((part, index) => {
      const name = index % 2 === 1 && (secrets.get(part) ?? secrets.get(JSON.parse(`"${part}"`)));
      return name ? variable(name) : part && literal(part);
    })
    .filter(Boolean);
}

/** `x-client-authorization` as `X-Client-Authorization`. */
function titled(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** A link that opens an operation in GraphiQL. Browsers send what is behind `#` to no server, so it is in no log. */
export function linkTo(page: string, { query, variables, operationName }: OperationText): string {
  const parameters = new URLSearchParams({ query });
  if (variables.trim()) parameters.set('variables', variables);
  if (operationName) parameters.set('operationName', operationName);
  const url = new URL(page);
  url.search = '';
  url.hash = parameters.toString();
  return url.href;
}

/** Where the gateway answers a GET with the list of an operation: for spreadsheets and the like, which add the token. */
export function csvAddress(endpoint: string, text: OperationText): string {
  return linkTo(`${endpoint}.csv`, text).replace('#', '?');
}

/** Reads what is behind `#` in the address of the page; undefined if that is no operation. */
export function readLink(hash: string): OperationText | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const { query, variables = '', operationName } = Object.fromEntries(parameters);
  return query?.trim() ? { query, variables, operationName } : undefined;
}

/** The query and the variables of a tab, as text. */
export interface OperationText {
  readonly query: string;
  readonly variables: string;
  readonly operationName?: string | undefined;
}

/** A text named like a secret: `token: "…"`, `"refreshToken": "…"`, `$token: String! = "…"`. */
const NAMED_SECRET =
  /((?:token|secret|password)\w*"?\s*:\s*(?:[\w[\]!]+\s*=\s*)?)("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/gi;

/** Shorter ones would be found inside of words. */
const SHORTEST_SECRET = 8;

/** What is stored or shared has no secret: values that are known to be one, or are named like one, become empty. */
export function withoutSecrets(text: OperationText, known: readonly string[]): OperationText {
  const forms = known
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
  const clean = (written: string) =>
    forms.reduce((left, form) => left.replaceAll(form, ''), written.replace(NAMED_SECRET, '$1""'));
  return { ...text, query: clean(text.query), variables: clean(text.variables) };
}

type OwnHeaders = Readonly<Record<string, unknown>>;

/** The headers of a request of this page, which shows what the gateway explains. */
export function requestHeaders(credentials: ExampleCredentials, own: OwnHeaders): Headers {
  // Subscriptions are answered with a stream, all else with JSON.
  const accept = 'application/graphql-response+json, application/json, text/event-stream';
  return credentialHeaders(credentials, { Accept: accept, 'X-Explain': 'true', ...own });
}

/** The headers of any request: one that the tab itself names takes the place of the strip's. */
export function credentialHeaders(credentials: ExampleCredentials, own: OwnHeaders): Headers {
  const { token, clientId, clientSecret } = credentials;
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (token) headers.set(TOKEN, `Bearer ${token}`);
  if (clientId) headers.set(APPLICATION, `Basic ${base64(`${clientId}:${clientSecret}`)}`);
  for (const [name, value] of Object.entries(own)) headers.set(name, String(value));
  return headers;
}

/** Whether the headers of a tab replace a credential of the strip. */
export function namesCredential(own: OwnHeaders): boolean {
  const names = Object.keys(own).map((name) => name.toLowerCase());
  return names.includes(TOKEN) || names.includes(APPLICATION);
}

/** As RFC 7617 has it, of UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
