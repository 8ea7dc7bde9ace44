import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, test } from 'vitest';
import { codesIn, startLibrary } from '../library/support.ts';
import { event, Feed, SSE, SUBSCRIPTION, useFeed } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import { ENDPOINT, JSON_BODY, LIST, useFetchGateway } from './support.ts';

const FAILURE = new Error('secret-of-a-plugin');
const fail = () => {
  throw FAILURE;
};
const failLater = async () => {
  await Promise.resolve();
  throw FAILURE;
};
/** Envelop's types know nothing of async functions where it does not await them; users of JavaScript do. */
const asynchronous = (run: () => Promise<unknown>): (() => undefined) => Object(run);
const logged = expect.objectContaining({ message: 'unexpected error' });

let feed: Feed;
let user: Plugin = {};
beforeEach(() => {
  user = {};
});
const useUser: Plugin = {
  onExecute: (payload) => user.onExecute?.(payload),
  onSubscribe: (payload) => user.onSubscribe?.(payload),
  onContextBuilding: (payload) => user.onContextBuilding?.(payload),
  onValidate: (payload) => user.onValidate?.(payload),
};
const gateway = await useFetchGateway({ plugins: [useFeed(() => feed), useUser] });
const subscribe = () => gateway.post({ query: SUBSCRIPTION }, { ...BEARER, ...SSE });

// What were not handled would fail the run of this file, and end the process of a user.
describe('the subscription of a plugin', () => {
  test.each<[string, () => object]>([
    ['onSubscribeResult throws', () => ({ onSubscribeResult: fail })],
    ['onSubscribeResult rejects', () => ({ onSubscribeResult: failLater })],
    ['onNext throws', () => ({ onSubscribeResult: () => ({ onNext: fail }) })],
    ['onNext rejects', () => ({ onSubscribeResult: () => ({ onNext: failLater }) })],
    [
      'onSubscribeResult resolves to an onNext that throws',
      () => ({ onSubscribeResult: async () => ({ onNext: fail }) }),
    ],
  ])('whose %s tells no event, and no details', async (_what, onSubscribe) => {
    feed = new Feed().tell(event(1)).end();
    user = { onSubscribe };
    const { text } = await subscribe();
    expect(text).toContain('INTERNAL_SERVER_ERROR');
    expect(text).not.toMatch(/"e1"|secret/);
    expect(gateway.log).toContainEqual(logged);
  });

  test.each<[string, () => undefined]>([
    ['throws', fail],
    ['rejects', asynchronous(failLater)],
  ])('whose onEnd %s has told all events', async (_what, onEnd) => {
    for (const onSubscribeResult of [() => ({ onEnd }), Object(async () => ({ onEnd }))]) {
      user = { onSubscribe: () => ({ onSubscribeResult }) };
      feed = new Feed().tell(event(1)).end();
      const { text } = await subscribe();
      expect(text).toContain('"e1"');
      expect(text).not.toContain('errors');
    }
    await eventually(() => expect(gateway.log).toEqual([logged, logged]));
  });

  test.each<[string, () => undefined]>([
    ['throws', fail],
    ['rejects', asynchronous(failLater)],
  ])('whose onSubscribeError %s ends without details', async (_what, onSubscribeError) => {
    feed = new Feed().fail(FAILURE);
    user = { onSubscribe: () => ({ onSubscribeError }) };
    const { text } = await subscribe();
    expect(text).toContain('INTERNAL_SERVER_ERROR');
    expect(text).not.toContain('secret');
  });
});

test.each<[string, () => undefined]>([
  ['throws', fail],
  ['rejects', asynchronous(failLater)],
])('an export is whole if the onEnd of a plugin %s', async (_what, onEnd) => {
  user = { onExecute: () => ({ onExecuteDone: () => ({ onEnd }) }) };
  const body = JSON.stringify({ query: LIST });
  const headers = { ...JSON_BODY, ...BEARER };
  const { text } = await gateway.fetch({ method: 'POST', headers, body }, `${ENDPOINT}.ndjson`);
  expect(text).toMatch(/"end":true,"rows":2\}\n$/);
  await eventually(() => expect(gateway.log).toContainEqual(logged));
});

test('what an async onSchemaChange rejects is logged', async () => {
  const { log, close } = await startLibrary({ plugins: [{ onSchemaChange: asynchronous(failLater) }] });
  await close();
  expect(log).toEqual([logged]);
});

const useBreak: Plugin = { onContextBuilding: ({ breakContextBuilding }) => breakContextBuilding() };
const breaking = await useFetchGateway({ plugins: [useBreak, { onValidate: asynchronous(failLater) }] });

test('what an async hook rejects denies the operation even if another plugin ends the building of the context', async () => {
  expect(codesIn(await breaking.post({ query: LIST }))).toEqual(['INTERNAL_SERVER_ERROR']);
  expect(breaking.calls()).toEqual([]);
});

const hurried = await useFetchGateway({ plugins: [useUser] }, { REQUEST_TIMEOUT_MS: '100' });
const never = () => new Promise<never>(() => {});

test.each<[string, Plugin]>([
  ['onValidate', { onValidate: asynchronous(never) }],
  ['onContextBuilding', { onContextBuilding: never }],
  ['onExecute', { onExecute: never }],
])('the deadline of an operation holds for %s of a plugin', async (_hook, given) => {
  user = given;
  expect(codesIn(await hurried.post({ query: LIST }))).toEqual(['UPSTREAM_TIMEOUT']);
});
