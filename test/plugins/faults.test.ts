import type { Plugin } from 'graphql-yoga';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { everyHook, HOOKS, type Hook } from '../library/every-hook.ts';
import { startNode } from '../library/mounts.ts';
import { codesIn, type ReadResponse, read } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import { type FetchGateway, JSON_BODY, LIST, NOTHING, TYPENAME, useFetchGateway } from './support.ts';

/** Made once: a stack for each would take most of the time. */
const FAILURE = new Error('secret-of-a-plugin');
const INSIDE = /secret-of-a-plugin|\.[tj]s\b|node_modules/;
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

/** Around the whole handling of a request, where there is no hook. */
const useAround: Plugin = {
  onRequest({ requestHandler, setRequestHandler }) {
    setRequestHandler(async (...handled) => {
      await failIn('handler');
      return requestHandler(...handled);
    });
  },
};
const failing = await useFetchGateway({ plugins: [everyHook(failIn), useAround] }, { MAX_OPERATIONS: '1' });

type Returned = (ending: () => unknown) => unknown;
/** Envelop does not await these, so that a plugin whose hooks are async has to catch its errors itself. */
const NOT_AWAITED: readonly Place[] = ['onEnveloped', 'onParse', 'onValidate'];
/** What hooks return a function as that is called afterwards. */
const RETURNED: { readonly [place in Place]?: Returned } = {
  onRequestParse: (onRequestParseDone) => ({ onRequestParseDone }),
  onParse: (ending) => ending,
  onValidate: (ending) => ending,
  onContextBuilding: (ending) => ending,
  onExecute: (onExecuteDone) => ({ onExecuteDone }),
};
type Failing = [place: Place, way: string, run: () => unknown];
const PLACES: readonly Place[] = [...HOOKS, 'handler'];
const FAILING = PLACES.flatMap((place): Failing[] => {
  const returned = RETURNED[place];
  const itself: Failing[] = [[place, 'throws', fail]];
  if (NOT_AWAITED.includes(place)) return itself;
  itself.push([place, 'rejects', failLater]);
  if (!returned) return itself;
  return [
    ...itself,
    [place, 'returns what throws', () => returned(fail)],
    [place, 'returns what rejects', () => returned(failLater)],
    [place, 'resolves to what throws', async () => returned(fail)],
    [place, 'resolves to what rejects', async () => returned(failLater)],
  ];
});

/** Over Node's own server, whose adapter would send the stack of what is thrown. */
async function postOverHttp({ gateway }: FetchGateway, query: string): Promise<ReadResponse> {
  const { port, close } = await startNode(gateway);
  onTestFinished(close);
  const headers = { ...JSON_BODY, ...BEARER };
  const url = `http://127.0.0.1:${port}/graphql`;
  return read(await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) }));
}

function requestIdIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'requestId' in details
    ? details.requestId
    : undefined;
}

test.each(FAILING)(
  'a plugin whose %s %s denies the operation without details, and leaves no place taken',
  async (place, _way, run) => {
    failure = { place, run };
    const answers = [];
    for (const _again of [1, 2, 3]) answers.push(await failing.post({ query: LIST }));
    answers.push(await postOverHttp(failing, LIST));
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
  },
);

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

test('a plugin that is sound is what it was: hooks of a class, its state, and what it awaits', async () => {
  order.length = 0;
  expect(codesIn(await sound.post({ query: TYPENAME }))).toEqual([]);
  expect(order).toEqual(['instance', 'inherited', 'instance responded']);
});

const partly = await useFetchGateway({
  plugins: [false, null, undefined, {}].map((plugin) => plugin ?? false),
});

test('places of the list may be empty, as in Yoga', async () => {
  expect(codesIn(await partly.post({ query: LIST }))).toEqual([]);
});
