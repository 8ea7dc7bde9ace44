import type { Plugin } from 'graphql-yoga';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, issueTokens } from '../support/gateway.ts';
import { PAYMENTS } from '../support/operations.ts';
import { present } from '../support/present.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';
import { changeDebtor, DEBTORS, startWorld, subscribe } from './support.ts';

const LIST = { path: '/v1/debtors' };
const MINUTE_AGO = Date.now() - 60_000;
/** The position of a stream whose client returns, perhaps with another token, or to another gateway. */
const CURSOR = Buffer.from(JSON.stringify([1, ADMINISTRATION, { d: [MINUTE_AGO] }])).toString('base64url');
const SINCE = `since: "${new Date(MINUTE_AGO).toISOString()}"`;

/** Streams open a hundred times as early. */
function shortenPatience(): void {
  const { timeout } = AbortSignal;
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
  onTestFinished(() => patience.mockRestore());
}

/** The gateway over a service where a debtor has changed since the cursor. */
async function startBehind(...options: Parameters<typeof startWorld>) {
  const world = await startWorld(...options);
  changeDebtor(world, 1, 'missed');
  const { gateway } = world;
  const resume = (headers: object = {}) =>
    subscribe(gateway, { headers: { ...headers, 'last-event-id': CURSOR } });
  const polls = () => gateway.rest.calls.filter(({ path }) => path === LIST.path);
  return { world, gateway, rest: gateway.rest, resume, polls };
}

describe('a token that the service rejects', () => {
  test.each(['text/event-stream', 'text/event-stream, application/json;q=0.5'])(
    'gets the same response for a stream that resumes as for a new one (%s)',
    async (accept) => {
      const { gateway } = await startBehind();
      const headers = { accept, authorization: 'Bearer expired' };
      const responseTo = async (args: string, lastEventId = '') => {
        const stream = await subscribe(gateway, {
          args,
          headers: { ...headers, 'last-event-id': lastEventId },
        });
        const { status, headers: received, text } = await stream.toEnd();
        const requestId = received.get('x-request-id') ?? '';
        return [status, received.get('last-event-id'), text.replace(requestId, '')];
      };
      const refused = await responseTo(DEBTORS);
      expect(refused).toEqual([
        expect.any(Number),
        null,
        expect.stringContaining('"code":"UNAUTHENTICATED"'),
      ]);
      expect(await responseTo(DEBTORS, CURSOR)).toEqual(refused);
      expect(await responseTo(`${DEBTORS} after: "${CURSOR}"`)).toEqual(refused);
      expect(await responseTo(`${DEBTORS} ${SINCE}`)).toEqual(refused);
    },
  );

  test('is rejected even if the service rejects it for only one of several kinds', async () => {
    const { gateway, rest } = await startBehind();
    rest.misbehave({ kind: 'status', status: 401, match: { path: '/v1/payments/deleted' } });
    const stream = await subscribe(gateway, { args: SINCE });
    expect(stream.headers.get('last-event-id')).toBeNull();
    expect((await stream.toEnd()).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(stream.events).toEqual([]);
  });
});

test('streams that resume together after one cursor share a call, and each gets every change', async () => {
  let received = 0;
  const countReceived: Plugin = {
    onSubscribe() {
      received += 1;
    },
  };
  const { world, rest, resume, polls } = await startBehind({ gateway: { plugins: [countReceived] } });
  const { promise: until, resolve: respond } = withResolver();
  rest.misbehave({ kind: 'stale', until, match: LIST });
  const opening = times(20, () => resume());
  await eventually(() => expect([received, polls().length]).toEqual([20, 1]));
  // All of them wait for the call once a later read is answered.
  await world.gateway.query(PAYMENTS);
  respond();
  const streams = await Promise.all(opening);
  const first = polls()[0]?.query.updated_after;
  expect(polls().filter(({ query }) => query.updated_after === first)).toHaveLength(1);
  changeDebtor(world, 2, 'next');
  for (const stream of streams) await stream.untilNames('missed', 'next');
});

describe('a stream that resumes while the service', () => {
  test('fails opens with a notice and loses nothing', async () => {
    const { rest, resume } = await startBehind();
    rest.misbehave({ kind: 'status', status: 500, times: 3, match: LIST });
    const stream = await resume();
    expect(stream.headers.get('last-event-id')).toBe(CURSOR);
    expect(await stream.untilError()).toMatchObject({
      extensions: { ends: false, retryAfter: expect.any(Number), cursor: CURSOR },
    });
    await stream.untilNames('missed');
  });

  test('does not respond opens after a few seconds and loses nothing', async () => {
    shortenPatience();
    const { rest, resume } = await startBehind({ gateway: { restTimeoutMs: 1_000 } });
    rest.misbehave({ kind: 'hang', match: LIST });
    const stream = await resume();
    expect(stream.headers.get('last-event-id')).toBe(CURSOR);
    await stream.untilNames('missed');
  });

  test('does not respond counts for its address until the credential is accepted', async () => {
    shortenPatience();
    // One for all credentials that have not been accepted.
    const { gateway, rest, resume } = await startBehind({
      gateway: { maxSubscriptions: 2, restTimeoutMs: 1_000 },
    });
    const [slow, other] = await issueTokens(rest, 2);
    rest.misbehave({ kind: 'hang', match: { ...LIST, ...present(slow) } });
    const stream = await resume(present(slow));
    const waiting = subscribe(gateway, { headers: present(other) });
    await stream.untilNames('missed');
    expect((await waiting).status).toBe(200);
  });

  test('fails ends once its token is rejected, and resumes with another token', async () => {
    const { rest, resume } = await startBehind();
    const [old, next] = await issueTokens(rest, 2);
    rest.misbehave({ kind: 'status', status: 503, times: 3, match: LIST });
    rest.misbehave({ kind: 'status', status: 401, times: 99, match: present(old) });
    const [notice, end] = (await (await resume(present(old))).toEnd()).errors;
    expect([notice, end]).toMatchObject([
      { extensions: { code: 'UPSTREAM_UNAVAILABLE', ends: false, cursor: CURSOR } },
      { extensions: { code: 'UNAUTHENTICATED', ends: true, cursor: CURSOR } },
    ]);
    expect((await resume(present(old))).headers.get('last-event-id')).toBeNull();
    await (await resume(present(next))).untilNames('missed');
  });
});
