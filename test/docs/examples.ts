import { parse } from 'graphql';
import type { Block } from './pages.ts';

export interface Sent {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Example = { readonly place: string } & (
  | { readonly sent: Sent; readonly shown: Block | 'a stream that opens' }
  | { readonly command: string; readonly shown: Block }
  /** `npm start` with settings, which hold for all that follows on the page. */
  | { readonly env: Readonly<Record<string, string>> }
);

/** Blocks that are only shown: no fault, but nothing to run. */
const SHOWN = ['yaml', '', 'mermaid', 'ts', 'tsx', 'python'];

/**
 * The blocks of a page become:
 *
 *     [http: headers]  graphql  [json: variables, where the operation takes any]  json: the answer
 *     graphql: a subscription
 *     sh: curl …       json or csv: the answer
 *     sh: a command    text: what it prints
 *     sh: SETTING=… npm start
 *     sh: any other, which is only shown
 *
 * A block that belongs to nothing is a fault, and so is an operation without an answer.
 */
export function examplesOf(blocks: readonly Block[]): Example[] {
  const examples: Example[] = [];
  const rest = [...blocks];
  const take = (...languages: string[]) =>
    languages.includes(rest[0]?.language ?? 'none') ? rest.shift() : undefined;

  for (let block = rest.shift(); block !== undefined; block = rest.shift()) {
    const { place, text, language } = block;
    const need = (needed: string) => take(needed) ?? fault(`${place} lacks a block of ${needed} behind it.`);
    if (language === 'graphql' || language === 'http') {
      const query = language === 'http' ? need('graphql').text : text;
      const isStream = query.startsWith('subscription');
      const variables = !isStream && takesVariables(query) ? JSON.parse(need('json').text) : undefined;
      const headers = {
        'content-type': 'application/json',
        authorization: 'Bearer demo-token-company-a',
        ...(isStream && { accept: 'text/event-stream' }),
        ...(language === 'http' && Object.fromEntries(text.split('\n').map(headerIn))),
      };
      const body = JSON.stringify({ query, variables });
      const sent = { method: 'POST', path: '/graphql', headers, body } as const;
      examples.push({ place, sent, shown: isStream ? 'a stream that opens' : need('json') });
    } else if (language === 'sh') {
      const answer = take('json', 'csv');
      const output = take('text');
      const env = settingsOf(text);
      if (answer) examples.push({ place, sent: readCurl(text), shown: answer });
      else if (output) examples.push({ place, command: text, shown: output });
      else if (env.length > 0) examples.push({ place, env: Object.fromEntries(env) });
    } else if (!SHOWN.includes(language)) {
      fault(`${place} is a block of ${language} that belongs to nothing.`);
    }
  }
  return examples;
}

function fault(message: string): never {
  throw new Error(message);
}

function takesVariables(query: string): boolean {
  return parse(query).definitions.some(
    (definition) => 'variableDefinitions' in definition && definition.variableDefinitions?.length,
  );
}

function headerIn(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  return [name.toLowerCase(), value];
}

/** Splits a command line, with the syntax that the pages use. */
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

function settingsOf(command: string): [name: string, value: string][] {
  if (!/^([A-Z_]+=\S+ )+npm start$/.test(command)) return [];
  return Array.from(command.matchAll(/([A-Z_]+)=(\S+)/g), ([, name = '', value = '']) => [name, value]);
}
