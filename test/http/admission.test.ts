import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, BOTH, OTHER_BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';
import { JSON_BODY, LIST, NOTHING, pluginSlot, useFetchGateway, WRITE } from './support/fetch-gateway.ts';

const { plugin: useGiven, withPlugin } = pluginSlot();
const gateway = await useFetchGateway({ plugins: [useGiven] });
const small = await useFetchGateway({}, { MAX_OPERATIONS: '4' });
const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
const impatient = await useFetchGateway({ maxOperations: 1, requestTimeoutMs: 200 });

/** A list of its own for each number, since equal calls under way are shared. */
const list = (number: number) => ({ query: LIST.replace('first: 2', `first: ${number + 2}`) });

describe('admission of operations', () => {
  test('rejects one without a slot after half of its timeout, with Retry-After', async () => {
    impatient.rest.misbehave({ kind: 'hang' });
    const [, refused] = await Promise.all([impatient.post(list(1)), impatient.post(list(2))]);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^[2-6]$/),
    ]);
    expect(refused.body.errors).toMatchObject([
      { message: 'Too many operations are in flight.', extensions: { code: 'OVERLOADED' } },
    ]);
    expect(impatient.calls()).not.toHaveLength(2);
  });

  test.each([
    ['of one caller', (_number: number) => BEARER, []],
    [
      'with made-up credentials',
      (number: number) => ({ authorization: `Bearer invented-${number}` }),
      ['UNAUTHENTICATED'],
    ],
  ])('lets those %s wait, and executes one of another caller', async (_what, headers, codes) => {
    // The service accepts these credentials, each of which now counts for itself.
    await small.post({ query: LIST });
    await small.post({ query: LIST.replace(ADMINISTRATION, '2001') }, OTHER_BEARER);
    small.rest.calls.length = 0;
    small.rest.misbehave({ kind: 'hang', times: 2 });
    const leaving = new AbortController();
    const post = (number: number, signal?: AbortSignal) =>
      small.post(list(number), headers(number), signal).catch(() => undefined);
    const hanging = times(2, (number) => post(number, leaving.signal));
    await eventually(() => expect(small.rest.calls).toHaveLength(2));
    const impatientClient = new AbortController();
    const left = post(2, impatientClient.signal);
    const waiting = times(2, (number) => post(number + 3));
    await eventually(() => expect(small.gateway.stats().waiting.operations).toBe(3));
    // Company B may not read this list, but the service is called.
    expect(codesIn(await small.post(list(9), OTHER_BEARER))).toEqual(['FORBIDDEN']);
    impatientClient.abort();
    await eventually(() => expect(small.gateway.stats().waiting.operations).toBe(2));
    expect(small.rest.calls).toHaveLength(3);
    leaving.abort();
    for (const answer of await Promise.all(waiting)) expect(answer && codesIn(answer)).toEqual(codes);
    await Promise.all([...hanging, left]);
    expect(small.rest.calls).toHaveLength(5);
  });

  test('is rejected while memory is short, and caches are cleared', async () => {
    expect(codesIn(await caching.post(list(9)))).toEqual([]);
    caching.gateway.state.freeMemory();
    expect(caching.gateway.readiness()).toBe('low_memory');
    const { status, body } = await caching.post(list(9));
    expect([status, body.errors]).toMatchObject([503, [{ message: 'The gateway is short of memory.' }]]);
    await eventually(async () => expect(codesIn(await caching.post(list(9)))).toEqual([]));
    expect(caching.gateway.readiness()).toBe('ready');
    expect(caching.rest.calls).toHaveLength(2);
  });
});

const ABORTABLE = [
  ['a query', LIST],
  ['a write', WRITE],
] as const;
/** A refresh that was sent is never aborted, so it must not start for a client that is gone. */
const OPERATIONS = [
  ...ABORTABLE,
  ['a refresh', 'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { expiresAt } } }'],
] as const;

const outcome = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    () => 'left',
  );
const ask = (query: string, signal: AbortSignal) => outcome(gateway.post({ query }, BOTH, signal));

describe.each(OPERATIONS)('%s', (_what, query) => {
  test('makes no call if its client disconnects before or while its body arrives', async () => {
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
    // It comes last in every queue.
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
  ] as const)('whose client disconnects while a plugin waits in %s makes %i calls', async (hook, calls) => {
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
] as const)('while the response of REST %s,', (_what, fault) => {
  test.each(ABORTABLE)('the call of %s is canceled when its client disconnects', async (_which, query) => {
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
