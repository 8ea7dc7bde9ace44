import { parse } from 'graphql';
import type { Block } from './pages.ts';

interface Place {
  readonly place: string;
}

/** What is sent over HTTP. */
export interface Sent {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * An operation whose answer the page shows as JSON, or as a file; a subscription, which opens; a command and what it
 * prints; `npm start` with settings, which hold for all that follows on the page.
 */
export type Example = Place &
  (
    | (Sent & { readonly kind: 'request' | 'file'; readonly answer: Block })
    | (Sent & { readonly kind: 'stream' })
    | { readonly kind: 'command'; readonly command: string; readonly output: Block }
    | { readonly kind: 'start'; readonly env: Readonly<Record<string, string>> }
  );

/** Blocks that are only shown: no fault, but nothing to run. */
const SHOWN = ['', 'mermaid', 'ts', 'tsx', 'python'];

/**
 * What a page's blocks come to:
 *
 *     [http: headers]  graphql  [json: variables, where the operation takes any]  json: the answer
 *     graphql: a subscription
 *     sh: curl …       json: the answer
 *     sh: curl …       csv: the answer
 *     sh: a command    text: what it prints
 *     sh: SETTING=… npm start
 *     sh: any other, which is only shown
 *
 * A block that belongs to nothing is a fault, and so is an operation without an answer.
 */
export function examplesOf(blocks: readonly Block[]): Example[] {
  const examples: Example[] = [];
  const rest = [...blocks];
  const take = (language: string) => (rest[0]?.language === language ? rest.shift() : undefined);
  const need = (language: string, { place }: Place) => {
    const block = take(language);
    if (block === undefined) throw new Error(`${place} lacks a block of ${language} behind it.`);
    return block;
  };

  for (let block = rest.shift(); block !== undefined; block = rest.shift()) {
    const { place, text, language } = block;
    const query = language === 'http' ? need('graphql', block).text : text;
    if (language === 'graphql' && text.startsWith('subscription')) {
      const headers = { ...JSON_BODY, ...BEARER, accept: 'text/event-stream' };
      examples.push({ kind: 'stream', place, ...POST, headers, body: JSON.stringify({ query }) });
    } else if (language === 'graphql' || language === 'http') {
      const headers = { ...BEARER, ...(language === 'http' && headersIn(text)) };
      const variables = takesVariables(query) ? JSON.parse(need('json', block).text) : undefined;
      const body = JSON.stringify({ query, variables });
      examples.push({
        kind: 'request',
        place,
        ...POST,
        headers: { ...JSON_BODY, ...headers },
        body,
        answer: need('json', block),
      });
    } else if (language === 'sh' && text.startsWith('curl ') && rest[0]?.language === 'json') {
      examples.push({ kind: 'request', place, ...readCurl(text), answer: need('json', block) });
    } else if (language === 'sh' && rest[0]?.language === 'csv') {
      examples.push({ kind: 'file', place, ...readCurl(text), answer: need('csv', block) });
    } else if (language === 'sh' && rest[0]?.language === 'text') {
      examples.push({ kind: 'command', place, command: text, output: need('text', block) });
    } else if (language === 'sh') {
      const env = settingsOf(text);
      if (env) examples.push({ kind: 'start', place, env });
    } else if (!SHOWN.includes(language)) {
      throw new Error(`${place} is a block of ${language} that belongs to nothing.`);
    }
  }
  return examples;
}

const POST = { method: 'POST', path: '/graphql' } as const;
const JSON_BODY = { 'content-type': 'application/json' };
/** What the pages say that is sent where they name no other. */
const BEARER = { authorization: 'Bearer demo-token-company-a' };

function takesVariables(query: string): boolean {
  return parse(query).definitions.some(
    (definition) => 'variableDefinitions' in definition && definition.variableDefinitions?.length,
  );
}

function headersIn(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').map(headerIn));
}

function headerIn(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  return [name.toLowerCase(), value];
}

/** As far as the pages use it. */
function readCurl(command: string): Sent {
  const words = Array.from(
    command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain = '']) => quoted ?? plain,
  );
  const valuesOf = (option: string) =>
    words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []));
  const [body] = valuesOf('-d');
  const { pathname } = new URL(words.find((word) => word.startsWith('http')) ?? '');
  const parameters = valuesOf('--data-urlencode').map((pair) => /^(\w+)=(.*)$/s.exec(pair)?.slice(1) ?? []);
  const search = new URLSearchParams(parameters).toString();
  return {
    path: search === '' ? pathname : `${pathname}?${search}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: Object.fromEntries(valuesOf('-H').map(headerIn)),
    ...(body !== undefined && { body }),
  };
}

function settingsOf(command: string): Record<string, string> | undefined {
  if (!/^([A-Z_]+=\S+ )+npm start$/.test(command)) return undefined;
  return Object.fromEntries(
    Array.from(command.matchAll(/([A-Z_]+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
  );
}
