import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { BOTH } from '../support/gateway.ts';
import { type FetchGateway, JSON_BODY, LIST, NOTHING, useFetchGateway, WRITE } from './support.ts';

/** Asks, and says how it ended for the caller. */
function ask(gateway: FetchGateway, query: string, signal: AbortSignal): Promise<string> {
  return outcome(gateway.post({ query }, BOTH, signal));
}

async function outcome(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'answered',
    () => 'left',
  );
}

const ABORTABLE = [
  ['a query', LIST],
  ['a write', WRITE],
] as const;
/** Once it is sent, a refresh is never aborted: all the more it must not start for nobody. */
const OPERATIONS = [
  ...ABORTABLE,
  ['a refresh', 'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { expiresAt } } }'],
] as const;

const plain = await useFetchGateway();

test.each(OPERATIONS)('%s whose caller has left before it comes calls nothing', async (_what, query) => {
  const left = AbortSignal.abort();
  expect(await ask(plain, query, left)).toBe('left');
  // Behind it in every queue.
  await plain.post({ query: LIST });
  expect(plain.calls()).toEqual(['GET /v1/debtors']);
});

test.each(OPERATIONS)('%s whose caller leaves while its body arrives calls nothing', async (_what, query) => {
  const caller = new AbortController();
  const bytes = new TransformStream<Uint8Array, Uint8Array>();
  const answer = plain.fetch({
    method: 'POST',
    headers: { ...JSON_BODY, ...BOTH },
    body: bytes.readable,
    duplex: 'half',
    signal: caller.signal,
  });
  const writer = bytes.writable.getWriter();
  await writer.write(Buffer.from(JSON.stringify({ query })));
  expect(plain.held()).toEqual(NOTHING);
  caller.abort();
  expect(await outcome(answer)).toBe('left');
  await writer.close();
  await plain.post({ query: LIST });
  expect(plain.calls()).toEqual(['GET /v1/debtors']);
});

/** Those that Yoga waits for, and whether the operation has been executed by then. */
const HOOKS = [
  ['onRequest', 'before'],
  ['onRequestParse', 'before'],
  ['onParams', 'before'],
  ['onContextBuilding', 'before'],
  ['onExecute', 'before'],
  ['onExecutionResult', 'after'],
  ['onResultProcess', 'after'],
  ['onResponse', 'after'],
] as const;
type Hook = (typeof HOOKS)[number][0];

let waitingHook: Hook | undefined;
let reached = () => {};
let goOn = Promise.resolve();

async function waitIn(hook: Hook): Promise<void> {
  if (hook !== waitingHook) return;
  reached();
  await goOn;
}
const useWaiting: Plugin = {
  onRequest: () => waitIn('onRequest'),
  onRequestParse: () => waitIn('onRequestParse'),
  onParams: () => waitIn('onParams'),
  onContextBuilding: () => waitIn('onContextBuilding'),
  onExecute: () => waitIn('onExecute'),
  onExecutionResult: () => waitIn('onExecutionResult'),
  onResultProcess: () => waitIn('onResultProcess'),
  onResponse: () => waitIn('onResponse'),
};
const waiting = await useFetchGateway({ plugins: [useWaiting] });

describe.each(HOOKS)('a caller that leaves while a plugin waits in %s, %s the execution,', (hook, when) => {
  test.each(OPERATIONS)('takes nothing with it: %s', async (_what, query) => {
    const caller = new AbortController();
    const reaches = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let release = () => {};
    goOn = new Promise<void>((resolve) => {
      release = resolve;
    });
    waitingHook = hook;
    const answer = ask(waiting, query, caller.signal);
    await reaches;
    waitingHook = undefined;
    caller.abort();
    expect(await answer).toBe('left');
    release();
    await eventually(() => expect(waiting.held()).toEqual(NOTHING));
    expect(waiting.calls()).toHaveLength(when === 'before' ? 0 : 1);
  });
});

describe.each([
  ['is awaited', { kind: 'hang' }],
  ['arrives byte by byte', { kind: 'drip', milliseconds: 20 }],
] as const)('while the answer of REST %s,', (_what, fault) => {
  test.each(ABORTABLE)('the call of %s whose caller leaves is given up, for good', async (_which, query) => {
    plain.rest.misbehave(fault);
    const caller = new AbortController();
    const answer = ask(plain, query, caller.signal);
    await eventually(() => expect(plain.rest.calls).toHaveLength(1));
    expect(plain.held()).toMatchObject({ operations: 1, restCalls: 1 });
    caller.abort();
    expect(await answer).toBe('left');
    await eventually(() => expect(plain.rest.calls).toMatchObject([{ aborted: true }]));
    await eventually(() => expect(plain.held()).toEqual(NOTHING));
    expect(plain.rest.calls).toHaveLength(1);
  });
});

const narrow = await useFetchGateway({}, {}, { callLimits: { running: 2, waiting: 10 } });

test('a REST call that waits for others is not made for a caller that leaves', async () => {
  narrow.rest.misbehave({ kind: 'hang', times: 10 });
  const callers = [new AbortController(), new AbortController(), new AbortController()];
  const answers = callers.map(({ signal }, index) =>
    ask(narrow, LIST.replace('first: 2', `first: ${index + 3}`), signal),
  );
  await eventually(() => {
    expect(narrow.gateway.stats().rest).toMatchObject({ inFlight: 1, queued: 2 });
    expect(narrow.rest.calls).toHaveLength(1);
  });
  for (const caller of callers.toReversed()) caller.abort();
  expect(await Promise.all(answers)).toEqual(['left', 'left', 'left']);
  await eventually(() => expect(narrow.held()).toEqual(NOTHING));
  expect(narrow.rest.calls).toHaveLength(1);
});
