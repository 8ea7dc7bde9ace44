import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { codesIn } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { type FetchGateway, LIST, NOTHING, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const shed: string[] = [];
const inFlight: { hook: string; operations: number }[] = [];
beforeEach(() => {
  shed.length = 0;
  inFlight.length = 0;
});

const note = (hook: string) => void inFlight.push({ hook, operations: watched.held().operations });
const useWatching: Plugin = {
  onRequest: () => note('onRequest'),
  onRequestParse: () => note('onRequestParse'),
  onParams: () => note('onParams'),
  onExecute: () => note('onExecute'),
  onResultProcess: () => note('onResultProcess'),
  onResponse: () => note('onResponse'),
};

const telemetry = { ...NO_TELEMETRY, shed: (reason: string) => void shed.push(reason) };
const small = await useFetchGateway({}, { MAX_OPERATIONS: '4' }, { telemetry });
const single = await useFetchGateway({}, { MAX_OPERATIONS: '1' });
const full = await useFetchGateway({ maxOperations: 0 }, {}, { telemetry });
const watched = await useFetchGateway({ plugins: [useWatching] });

/** A list of its own for each number, since equal calls under way are shared. */
const list = (number: number) => ({ query: LIST.replace('first: 2', `first: ${number + 2}`) });

test('operations beyond the limit are refused, and told when to come again', async () => {
  const answer = await full.post({ query: LIST });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.body.errors).toMatchObject([
    { message: 'Too many operations are under way.', extensions: { code: 'OVERLOADED' } },
  ]);
  expect(full.calls()).toEqual([]);
  expect(shed).toEqual(['operations']);
});

test('one caller gets a quarter of the places, and leaves some for another', async () => {
  // From now on each credential counts for itself.
  for (const headers of [BEARER, OTHER_BEARER]) await small.post({ query: LIST }, headers);
  small.rest.calls.length = 0;
  small.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 10 });
  const greedy = times(4, (number) => small.post(list(number)));
  await eventually(() => expect(small.rest.calls).toHaveLength(1));
  const other = await small.post({ query: TYPENAME }, OTHER_BEARER);
  expect(codesIn(other)).toEqual([]);
  const codes = (await Promise.all(greedy)).map(codesIn);
  expect(codes).toEqual([[], ['OVERLOADED'], ['OVERLOADED'], ['OVERLOADED']]);
  expect(shed).toEqual(times(3, () => 'operations'));
});

test('made-up credentials have one share together', async () => {
  small.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 10 });
  const answers = times(4, (number) =>
    small.post(list(number), { authorization: `Bearer invented-${number}` }),
  );
  const codes = (await Promise.all(answers)).map(codesIn);
  expect(codes.flat().sort()).toEqual([...times(3, () => 'OVERLOADED'), 'UNAUTHENTICATED']);
});

test('an operation holds its place from its parameters to its result', async () => {
  await watched.post({ query: LIST });
  expect(inFlight).toEqual([
    { hook: 'onRequest', operations: 0 },
    { hook: 'onRequestParse', operations: 1 },
    { hook: 'onParams', operations: 1 },
    { hook: 'onExecute', operations: 1 },
    { hook: 'onResultProcess', operations: 1 },
    { hook: 'onResponse', operations: 0 },
  ]);
});

describe('the one place is given back after', () => {
  const repeated = (ask: (gateway: FetchGateway, index: number) => Promise<unknown>) => async () => {
    for (let index = 0; index < 2; index += 1) {
      await ask(single, index);
      expect(single.held()).toEqual(NOTHING);
    }
    expect(codesIn(await single.post({ query: TYPENAME }))).toEqual([]);
  };

  test.each<[string, object | string, Readonly<Record<string, string>>?]>([
    ['an answer', { query: LIST }],
    ['a write', { query: WRITE }],
    ['parameters that cannot be read', '{'],
    ['no document', {}],
    ['a syntax error', { query: '{' }],
    ['an invalid document', { query: '{ nonsense }' }],
    ['an unknown operation', { query: TYPENAME, operationName: 'Other' }],
    ['variables that do not fit', { query: 'query ($id: ID!) { node(id: $id) { id } }' }],
    ['an operation that costs too much', { query: `{ ${times(60, costly).join(' ')} }` }],
    ['an unknown credential', { query: LIST }, { authorization: 'Bearer invented' }],
    ['no credential', { query: LIST }, {}],
  ])('%s', (_what, params, headers) => repeated((gateway) => gateway.post(params, headers))());

  test.each([
    ['a refusal of REST', { kind: 'status', status: 400 }],
    ['a REST answer that is cut', { kind: 'truncate' }],
    ['a REST answer that is no JSON', { kind: 'body', body: '<html>' }],
  ] as const)('%s', (_what, fault) =>
    repeated((gateway, index) => {
      gateway.rest.misbehave(fault);
      return gateway.post(list(index));
    })(),
  );

  function costly(index: number) {
    return `a${index}: debtors(administrationId: "${index}") { nodes { id } }`;
  }
});
