import { expect, onTestFinished, test } from 'vitest';
import { startGateway, type TestOptions } from '../support/gateway.ts';

const BODY = JSON.stringify({ query: '{ __typename }' });

async function gatewayWith(handler: NonNullable<TestOptions['handler']>) {
  const gateway = await startGateway({ handler });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Lets whoever enters go on when told so. */
function gate() {
  const waiting: { readonly owner: string; readonly letIn: () => void }[] = [];
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    waiting,
    arrived,
    limitTurnToOne: () => {},
    enter: (owner: string) =>
      new Promise<void>((letIn) => {
        waiting.push({ owner, letIn });
        arrive();
      }),
  };
}

test.each([
  ['too many operations', { maxOperations: 0 }, BODY, 503],
  ['a body that is not read', {}, BODY, 415],
])('a refusal waits for its turn, as operations do: %s', async (_what, options, body, status) => {
  const startQueue = gate();
  const { url } = await gatewayWith({ ...options, startQueue });
  let isAnswered = false;
  const type = status === 415 ? 'text/plain' : 'application/json';
  const answer = fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).then((response) => {
    isAnswered = true;
    return response;
  });
  await startQueue.arrived;
  expect(startQueue.waiting.map(({ owner }) => owner)).toEqual(['127.0.0.1']);
  expect(isAnswered).toBe(false);
  startQueue.waiting[0]?.letIn();
  expect((await answer).status).toBe(status);
});

test('of an operation that is not admitted the body is not even parsed', async () => {
  const { post } = await gatewayWith({ maxOperations: 0 });
  const response = await post('{');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
});

test('the body of one that is admitted is parsed when it starts', async () => {
  const startQueue = gate();
  const { post } = await gatewayWith({ startQueue });
  const answer = post('{');
  await startQueue.arrived;
  startQueue.waiting.shift()?.letIn();
  // Then it is a refusal, which waits as well.
  await expect.poll(() => startQueue.waiting.length).toBe(1);
  startQueue.waiting.shift()?.letIn();
  expect((await answer).status).toBe(400);
});
