import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { everyHook, HOOKS, type Hook } from '../library/every-hook.ts';
import { startNode } from '../library/mounts.ts';
import { codesIn, type ReadResponse, read } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import { type FetchGateway, JSON_BODY, LIST, NOTHING, TYPENAME, useFetchGateway } from './support.ts';

/** Made once: a stack for each would take most of the time. */
const FAILURE = new Error('secret-of-a-plugin');
const INSIDE = /secret-of-a-plugin|\.[tj]s\b|node_modules/;
let throwing: Hook | 'handler' | 'instrument' | 'instrument afterwards' | undefined;
beforeEach(() => {
  throwing = undefined;
});
function throwIn(place: typeof throwing) {
  if (place === throwing) throw FAILURE;
}

/** Around the whole handling of a request, where there is no hook. */
const useAround: Plugin = {
  onRequest({ requestHandler, setRequestHandler }) {
    setRequestHandler((...handled) => {
      throwIn('handler');
      return requestHandler(...handled);
    });
  },
  instrumentation: {
    async request(_payload, handle) {
      throwIn('instrument');
      await handle();
      throwIn('instrument afterwards');
    },
  },
};
const failing = await useFetchGateway({ plugins: [everyHook(throwIn), useAround] }, { MAX_OPERATIONS: '1' });

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

describe('a plugin of a user that throws', () => {
  test.each([...HOOKS, 'handler'] as const)(
    'in %s is an error without details, and leaves no place taken',
    async (place) => {
      throwing = place;
      const answers = [];
      for (const _again of [1, 2, 3]) answers.push(await failing.post({ query: LIST }));
      answers.push(await postOverHttp(failing, LIST));
      throwing = undefined;
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

  test.each(['instrument', 'instrument afterwards'] as const)(
    'while it only observes (%s) is logged, and the request is answered, once',
    async (place) => {
      throwing = place;
      for (const answer of [await failing.post({ query: LIST }), await postOverHttp(failing, LIST)])
        expect(answer).toMatchObject({ status: 200, body: { data: { debtors: {} } } });
      expect(failing.log).toMatchObject([{ message: 'unexpected error' }, { message: 'unexpected error' }]);
      expect(JSON.stringify(failing.log)).not.toContain(FAILURE.message);
      expect(failing.calls()).toHaveLength(2);
    },
  );
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

test('a plugin that is sound is what it was: hooks of a class, its state, and what it awaits', async () => {
  order.length = 0;
  expect(codesIn(await sound.post({ query: TYPENAME }))).toEqual([]);
  expect(order).toEqual(['instance', 'inherited', 'instance responded']);
});

/** Envelop does not await these hooks. */
let rejected: string | undefined;
const rejecting = (['onEnveloped', 'onParse', 'onValidate'] as const).map((hook) => ({
  [hook]: async () => {
    await Promise.resolve();
    if (hook === rejected) throw FAILURE;
  },
}));
const failingOnRequest: Plugin = {
  onRequest() {
    throw FAILURE;
  },
};
const adding: Plugin = {
  onPluginInit: ({ addPlugin }) => addPlugin(failingOnRequest),
};
const asynchronous = await useFetchGateway({ plugins: rejecting });
const added = await useFetchGateway({ plugins: [adding] });
const partly = await useFetchGateway({
  plugins: [false, null, undefined, {}].map((plugin) => plugin ?? false),
});

test.each(['onEnveloped', 'onParse', 'onValidate'])(
  'what an async %s rejects ends the operation before it is executed, and not the process',
  async (hook) => {
    rejected = hook;
    const { status, text } = await asynchronous.post({ query: LIST });
    rejected = undefined;
    expect(status).toBe(500);
    expect(text).not.toMatch(INSIDE);
    expect(asynchronous.calls()).toEqual([]);
    expect(asynchronous.held()).toEqual(NOTHING);
    expect(codesIn(await asynchronous.post({ query: LIST }))).toEqual([]);
  },
);

test('a plugin that another one adds is contained too', async () => {
  const { status, text } = await added.post({ query: LIST });
  expect(status).toBe(500);
  expect(text).not.toMatch(INSIDE);
});

test('places of the list may be empty, as in Yoga', async () => {
  expect(codesIn(await partly.post({ query: LIST }))).toEqual([]);
});
