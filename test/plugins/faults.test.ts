import type { Plugin } from 'graphql-yoga';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  JSON_BODY,
  LIST,
  NOTHING,
  pluginSlot,
  TYPENAME,
  useFetchGateway,
} from '../http/support/fetch-gateway.ts';
import { everyHook, HOOKS, type Hook } from '../library/every-hook.ts';
import { startNode } from '../library/mounts.ts';
import { codesIn, read } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';

/** Made once: a stack for each would take most of the time. */
const FAILURE = new Error('secret-of-a-plugin');
const INSIDE = /secret-of-a-plugin|TypeError|is not a function|\.[tj]s\b|node_modules/;
const fail = () => {
  throw FAILURE;
};
const failLater = async () => {
  await Promise.resolve();
  throw FAILURE;
};

type Place = Hook | 'handler';
let failure: { readonly place: Place; readonly run: () => unknown } | undefined;
const failIn = (place: Place) => (place === failure?.place ? failure.run() : undefined);
beforeEach(() => {
  failure = undefined;
});

/** Wraps the whole handling of a request, which has no hook. */
const useAround: Plugin = {
  onRequest({ requestHandler, setRequestHandler }) {
    setRequestHandler(async (...handled) => {
      await failIn('handler');
      return requestHandler(...handled);
    });
  },
};
const failing = await useFetchGateway({ plugins: [everyHook(failIn), useAround] }, { MAX_OPERATIONS: '1' });
/** Uses Node's own server, whose adapter would send the stack of a thrown error. */
const port = await startNode(failing.gateway, afterAll);

type Returned = (ending: () => unknown) => unknown;
/** Envelop does not await these, so a plugin with async hooks has to catch its errors itself. */
const NOT_AWAITED: readonly Place[] = ['onEnveloped', 'onParse', 'onValidate'];
/** These hooks may return a function that is called afterwards. */
const RETURNED: { readonly [place in Place]?: Returned } = {
  onRequestParse: (onRequestParseDone) => ({ onRequestParseDone }),
  onParse: (ending) => ending,
  onValidate: (ending) => ending,
  onContextBuilding: (ending) => ending,
  onExecute: (onExecuteDone) => ({ onExecuteDone }),
};
type Failing = [place: Place, way: string, run: () => unknown];
const FAILING = [...HOOKS, 'handler' as const].flatMap((place): Failing[] => {
  const returned = RETURNED[place];
  const failing: Failing[] = [[place, 'throws', fail]];
  if (NOT_AWAITED.includes(place)) return failing;
  failing.push([place, 'rejects', failLater]);
  if (returned)
    failing.push(
      [place, 'returns what throws', () => returned(fail)],
      [place, 'resolves to what rejects', async () => returned(failLater)],
    );
  return failing;
});

function requestIdIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'requestId' in details
    ? details.requestId
    : undefined;
}

test.each(FAILING)('a plugin whose %s %s fails the operation without details', async (place, _way, run) => {
  failure = { place, run };
  const body = JSON.stringify({ query: LIST });
  const init = { method: 'POST', headers: { ...JSON_BODY, ...BEARER }, body };
  const answers = [
    await failing.fetch(init),
    await failing.fetch(init),
    await read(await fetch(`http://127.0.0.1:${port}/graphql`, init)),
  ];
  failure = undefined;
  for (const { status, text, body, headers } of answers) {
    expect(status).toBe(500);
    const requestId = headers.get('x-request-id');
    expect(body.errors).toEqual([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } },
    ]);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(text).not.toMatch(INSIDE);
  }
  const logged = failing.log.filter(({ message }) => message === 'unexpected error');
  expect(new Set(logged.map(({ details }) => requestIdIn(details))).size).toBe(answers.length);
  // Messages may quote what a caller sent.
  expect(JSON.stringify(failing.log)).not.toContain(FAILURE.message);
  expect(failing.held()).toEqual(NOTHING);
  expect(codesIn(await failing.post({ query: LIST }))).toEqual([]);
});

const { plugin: useGiven, withPlugin } = pluginSlot();
const given = await useFetchGateway(
  { plugins: [useGiven, false] },
  { MAX_OPERATIONS: '1', MAX_SUBSCRIPTIONS: '1' },
);
const OTHER = { data: null, errors: [] };

test.each<[string, Plugin]>([
  ['replaces the result of a subscription', { onExecutionResult: ({ setResult }) => setResult(OTHER) }],
  ['fails when a stream opens', { onExecutionResult: fail }],
  [
    'subscribes to something else',
    { onSubscribe: () => ({ onSubscribeResult: ({ setResult }) => setResult(OTHER) }) },
  ],
  ['fails after the subscription', { onSubscribe: () => ({ onSubscribeResult: fail }) }],
  ['replaces the result at the end', { onResultProcess: ({ setResult }) => setResult(OTHER) }],
])('a plugin that %s ends the stream and frees its slot', async (_what, plugin) => {
  const query = 'subscription { changes(administrationId: "1001", kinds: [DEBTOR_CHANGED]) { kind } }';
  for (const _again of [1, 2, 3]) {
    const ask = () => given.post({ query }, { ...BEARER, accept: 'text/event-stream' });
    expect((await withPlugin(plugin, ask)).text).not.toContain('OVERLOADED');
  }
  // Checked after each test: nothing is held.
});

test.each(['rest', 'cancellation', 'executed'])('a plugin with its own `%s` leaks nothing', async (name) => {
  const extend: Plugin = { onContextBuilding: ({ extendContext }) => extendContext({ [name]: {} }) };
  for (const _again of [1, 2]) {
    const { text } = await withPlugin(extend, () => given.post({ query: LIST }));
    expect(text).not.toMatch(INSIDE);
    expect(text).not.toContain('OVERLOADED');
  }
});

const order: string[] = [];
class Instance {
  readonly #name = 'instance';
  onRequest = () => void order.push(this.#name);
  onResponse = async () => {
    await Promise.resolve();
    order.push(`${this.#name} responded`);
  };
  onParams() {
    order.push('inherited');
  }
}
const sound = await useFetchGateway({ plugins: [new Instance()] });

test('a plugin can be an instance of a class with state and asynchronous hooks', async () => {
  expect(codesIn(await sound.post({ query: TYPENAME }))).toEqual([]);
  expect(order).toEqual(['instance', 'inherited', 'instance responded']);
});
