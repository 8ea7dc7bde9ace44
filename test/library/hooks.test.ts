import { useOnResolve } from '@envelop/on-resolve';
import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { times } from '../support/times.ts';
import { startNode } from './mounts.ts';
import { codesIn, type LibraryGateway, read, useLibrary } from './support.ts';

const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { name postalAddress { city } } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';

const HOOKS = [
  'onRequest',
  'onRequestParse',
  'onParams',
  'onParse',
  'onValidate',
  'onContextBuilding',
  'onExecute',
  'onExecutionResult',
  'onResultProcess',
  'onResponse',
] as const;
type Hook = (typeof HOOKS)[number];

/** A plugin with a function for every hook. */
function everyHook(run: (hook: Hook) => void): Plugin {
  return {
    onRequest: () => run('onRequest'),
    onRequestParse: () => run('onRequestParse'),
    onParams: () => run('onParams'),
    onParse: () => run('onParse'),
    onValidate: () => run('onValidate'),
    onContextBuilding: () => run('onContextBuilding'),
    onExecute: () => run('onExecute'),
    onExecutionResult: () => run('onExecutionResult'),
    onResultProcess: () => run('onResultProcess'),
    onResponse: () => run('onResponse'),
  };
}

async function post({ gateway }: LibraryGateway, query: string) {
  const headers = { 'content-type': 'application/json', ...BEARER };
  const body = JSON.stringify({ query });
  return read(await gateway.fetch('http://localhost/graphql', { method: 'POST', headers, body }));
}

const seen: Hook[] = [];
const counting = await useLibrary({ plugins: [everyHook((hook) => void seen.push(hook))] });

const without = (...left: readonly Hook[]) => HOOKS.filter((hook) => !left.includes(hook));

test.each<[string, string, readonly Hook[]]>([
  ['a query', LIST, HOOKS],
  ['the same query, whose answer is cached', LIST, HOOKS],
  ['a mutation', WRITE, HOOKS],
  ['introspection', '{ __schema { queryType { name } } }', HOOKS],
  ['an operation that is refused for its cost', tooManyLists(), HOOKS],
  ['an invalid document', '{ nonsense }', without('onContextBuilding', 'onExecute')],
  ['the same again', '{ nonsense }', without('onContextBuilding', 'onExecute')],
  ['a syntax error', '{', without('onValidate', 'onContextBuilding', 'onExecute')],
])('each hook runs once, in its order: %s', async (_what, query, expected) => {
  seen.length = 0;
  await post(counting, query);
  expect(seen).toEqual(expected);
});

function tooManyLists(): string {
  return `{ ${times(60, (index) => `a${index}: debtors(administrationId: "${index}") { nodes { id } }`).join(' ')} }`;
}

/** Text as each hook gets it. */
const texts = new Map<string, unknown>();
const useTexts: Plugin = {
  onExecute: () => ({ onExecuteDone: ({ result }) => void texts.set('onExecuteDone', dataOf(result)) }),
  onExecutionResult: ({ result }) => void texts.set('onExecutionResult', dataOf(result)),
  onResultProcess: ({ result }) => void texts.set('onResultProcess', dataOf(result)),
};
const reading = await useLibrary({
  plugins: [
    useOnResolve(({ info: { fieldName } }) => ({ result }) => {
      if (typeof result === 'string') texts.set(`onResolved ${fieldName}`, result);
    }),
    useTexts,
  ],
});

function dataOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'data' in result ? result.data : undefined;
}

test.each(['from the REST service', 'from the cache'])('plugins read text as text: %s', async () => {
  texts.clear();
  const [name, city] = ['Noëlle 😀', 'Łódź'];
  reading.rest.misbehave(
    changeRows((rows) => rows.map((row) => ({ ...row, name, postal_address: { city, country_code: 'PL' } }))),
  );
  const { body } = await post(reading, LIST);
  const node = { name, postalAddress: { city } };
  const data = { debtors: { nodes: [node, node] } };
  expect(body.data).toEqual(data);
  expect(Object.fromEntries(texts)).toEqual({
    'onResolved name': name,
    'onResolved city': city,
    onExecuteDone: data,
    onExecutionResult: data,
    onResultProcess: data,
  });
});

const useGreeting: Plugin = {
  onExecute: () => ({
    onExecuteDone: ({ setResult }) => setResult({ data: { greeting: 'Żółć' }, extensions: { by: 'ë' } }),
  }),
  onResponse: ({ response }) => response.headers.set('x-plugin', 'seen'),
};
const changing = await useLibrary({ plugins: [useGreeting] });

test('a plugin may put another result, and headers, in place of those of the gateway', async () => {
  const { body, headers } = await post(changing, LIST);
  expect(body).toMatchObject({ data: { greeting: 'Żółć' }, extensions: { by: 'ë' } });
  expect(headers.get('x-plugin')).toBe('seen');
});

/** Made once: a stack for each would take most of the time. */
const FAILURE = new Error('secret-of-a-plugin');
const INSIDE = /secret-of-a-plugin|\.[tj]s\b|node_modules/;
let throwing: Hook | undefined;
const failing = await useLibrary(
  {
    plugins: [
      everyHook((hook) => {
        if (hook === throwing) throw FAILURE;
      }),
    ],
  },
  { MAX_OPERATIONS: '4' },
);

/** Over Node's own server, whose adapter would send the stack of what is thrown. */
async function postOverHttp({ gateway }: LibraryGateway, query: string) {
  const { port, close } = await startNode(gateway);
  onTestFinished(close);
  const headers = { 'content-type': 'application/json', ...BEARER };
  const url = `http://127.0.0.1:${port}/graphql`;
  return read(await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) }));
}

function requestIdIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'requestId' in details
    ? details.requestId
    : undefined;
}

describe('a plugin that throws', () => {
  beforeEach(() => {
    throwing = undefined;
  });

  test.each(HOOKS)('in %s is an error without details, and leaves no slot taken', async (hook) => {
    throwing = hook;
    const answers = [];
    for (let index = 0; index < 100; index += 1) answers.push(await post(failing, LIST));
    answers.push(await postOverHttp(failing, LIST));
    throwing = undefined;
    for (const { status, text, body, headers } of answers) {
      expect(status).toBe(500);
      expect(body.errors).toMatchObject([
        {
          message: 'Unexpected error.',
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) },
        },
      ]);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(text).not.toMatch(INSIDE);
    }
    const logged = failing.log.filter(({ message }) => message === 'unexpected error');
    expect(new Set(logged.map(({ details }) => requestIdIn(details))).size).toBe(answers.length);
    // Messages may quote what a caller sent.
    expect(JSON.stringify(failing.log)).not.toContain(FAILURE.message);
    expect(failing.gateway.stats().memory.operations).toBe(0);
    expect(codesIn(await post(failing, LIST))).toEqual([]);
  });
});
