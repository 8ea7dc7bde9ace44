import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER, BOTH, OTHER_BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';
import {
  JSON_BODY,
  LIST,
  NOTHING,
  pluginSlot,
  TYPENAME,
  useFetchGateway,
  WRITE,
} from './support/fetch-gateway.ts';

const { plugin: useGiven, withPlugin } = pluginSlot();
const gateway = await useFetchGateway({ plugins: [useGiven] });
const small = await useFetchGateway({}, { MAX_OPERATIONS: '4' });
const full = await useFetchGateway({ maxOperations: 0 });
const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });

/** A list of its own for each number, since equal calls under way are shared. */
const list = (number: number) => ({ query: LIST.replace('first: 2', `first: ${number + 2}`) });

describe('of the operations under way', () => {
  test('those beyond the limit are refused, and told when to come again', async () => {
    const answer = await full.post({ query: LIST });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.body.errors).toMatchObject([
      { message: 'Too many operations are under way.', extensions: { code: 'OVERLOADED' } },
    ]);
    expect(full.calls()).toEqual([]);
  });

  test('one caller gets a quarter, and leaves some for another', async () => {
    // From now on each credential counts for itself.
    for (const headers of [BEARER, OTHER_BEARER]) await small.post({ query: LIST }, headers);
    small.rest.calls.length = 0;
    small.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 10 });
    const greedy = times(4, (number) => small.post(list(number)));
    await eventually(() => expect(small.rest.calls).toHaveLength(1));
    expect(codesIn(await small.post({ query: TYPENAME }, OTHER_BEARER))).toEqual([]);
    const codes = (await Promise.all(greedy)).map(codesIn);
    expect(codes).toEqual([[], ['OVERLOADED'], ['OVERLOADED'], ['OVERLOADED']]);
  });

  test('those with made-up credentials have one share together', async () => {
    small.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 10 });
    const answers = times(4, (number) =>
      small.post(list(number), { authorization: `Bearer invented-${number}` }),
    );
    const codes = (await Promise.all(answers)).map(codesIn);
    expect(codes.flat().sort()).toEqual([...times(3, () => 'OVERLOADED'), 'UNAUTHENTICATED']);
  });

  test('none begins when memory is short, and caches are emptied', async () => {
    expect(codesIn(await caching.post(list(9)))).toEqual([]);
    caching.gateway.relieve();
    expect(codesIn(await caching.post(list(2)))).toEqual(['OVERLOADED']);
    await eventually(async () => expect(codesIn(await caching.post(list(9)))).toEqual([]));
    expect(caching.rest.calls).toHaveLength(2);
  });
});

const ABORTABLE = [
  ['a query', LIST],
  ['a write', WRITE],
] as const;
/** Once it is sent, a refresh is never aborted: all the more it must not start for nobody. */
const OPERATIONS = [
  ...ABORTABLE,
  ['a refresh', 'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { expiresAt } } }'],
] as const;

/** How it ended for the caller. */
const outcome = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    () => 'left',
  );
const ask = (query: string, signal: AbortSignal) => outcome(gateway.post({ query }, BOTH, signal));

describe.each(OPERATIONS)('of %s', (_what, query) => {
  test('whose caller has left before it comes, or while its body arrives, nothing is called', async () => {
    expect(await ask(query, AbortSignal.abort())).toBe('left');
    const caller = new AbortController();
    const bytes = new TransformStream<Uint8Array, Uint8Array>();
    const answer = gateway.fetch({
      method: 'POST',
      headers: { ...JSON_BODY, ...BOTH },
      body: bytes.readable,
      duplex: 'half',
      signal: caller.signal,
    });
    const writer = bytes.writable.getWriter();
    await writer.write(Buffer.from(JSON.stringify({ query })));
    expect(gateway.held()).toMatchObject({ operations: 0, restCalls: 0 });
    caller.abort();
    expect(await outcome(answer)).toBe('left');
    await writer.close();
    // Behind it in every queue.
    await gateway.post({ query: LIST });
    expect(gateway.calls()).toEqual(['GET /v1/debtors']);
  });

  test.each([
    ['onRequest', 0],
    ['onRequestParse', 0],
    ['onParams', 0],
    ['onContextBuilding', 0],
    ['onExecute', 0],
    ['onExecutionResult', 1],
    ['onResultProcess', 1],
    ['onResponse', 1],
  ] as const)('whose caller leaves while a plugin waits in %s, %i calls are made', async (hook, calls) => {
    const [reached, goOn] = [withResolver(), withResolver()];
    const wait = async () => {
      reached.resolve();
      await goOn.promise;
    };
    const caller = new AbortController();
    const answer = withPlugin({ [hook]: wait }, () => ask(query, caller.signal));
    await reached.promise;
    caller.abort();
    expect(await answer).toBe('left');
    goOn.resolve();
    await eventually(() => expect(gateway.held()).toEqual(NOTHING));
    expect(gateway.calls()).toHaveLength(calls);
  });
});

describe.each([
  ['is awaited', { kind: 'hang' }],
  ['arrives byte by byte', { kind: 'drip', milliseconds: 20 }],
] as const)('while the answer of REST %s,', (_what, fault) => {
  test.each(ABORTABLE)('the call of %s whose caller leaves is given up, for good', async (_which, query) => {
    gateway.rest.misbehave(fault);
    const caller = new AbortController();
    const answer = ask(query, caller.signal);
    await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
    expect(gateway.held()).toMatchObject({ operations: 1, restCalls: 1 });
    caller.abort();
    expect(await answer).toBe('left');
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
    await eventually(() => expect(gateway.held()).toEqual(NOTHING));
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
