import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { changeDebtor, DEBTORS, deleteCase, startWorld, subscribe } from './support.ts';

const DAY = 86_400_000;
const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

describe('a stream that resumes', () => {
  test('starts after `Last-Event-ID`, even with another argument', async () => {
    const world = await startWorld();
    const stream = await subscribe(world.gateway);
    changeDebtor(world, 0, 'one');
    const [event] = await stream.untilEvents(1);
    expect(event?.id).toBe(event?.cursor);
    await stream.close();
    changeDebtor(world, 1, 'two');
    const next = await subscribe(world.gateway, {
      args: `${DEBTORS} since: "2001-01-01T00:00:00Z"`,
      headers: { 'last-event-id': event?.cursor ?? '' },
    });
    await next.untilNames('two');
    expect(next.events.length).toBeLessThanOrEqual(2);
  });

  test('continues a long scan from the middle', async () => {
    const world = await startWorld({ rest: { maxPerPage: 50 } }, 220);
    const stream = await subscribe(world.gateway, { args: `${DEBTORS} since: "2025-01-01T00:00:00Z"` });
    await stream.untilEvents(70);
    const { cursor, debtor } = stream.events[69] ?? {};
    await stream.close();
    const next = await subscribe(world.gateway, { args: `${DEBTORS} after: "${cursor}"` });
    await next.untilEvents(150);
    const ids = next.events.map(({ debtor }) => debtor?.internalId);
    expect(ids).not.toContain(debtor?.internalId);
    expect(new Set(ids).size).toBe(150);
  });

  test('starts its scan again once if the cursor is rejected, and ends if that is rejected too', async () => {
    const world = await startWorld();
    world.gateway.rest.misbehave({ kind: 'status', status: 400, times: 20, match: { path: '/v1/debtors' } });
    const cursor = cursorOf([1, ADMINISTRATION, { d: [0, 0, 'gone'] }]);
    const stream = await subscribe(world.gateway, { args: `${DEBTORS} after: "${cursor}"` });
    await stream.toEnd();
    expect(stream.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', ends: true } }]);
    expect(world.gateway.calls().filter(({ call }) => call === 'GET /v1/debtors')).toHaveLength(2);
  });
});

describe('a stream that starts in the past', () => {
  test('sends each change since then once, while other streams send new ones', async () => {
    const world = await startWorld({ rest: { maxPerPage: 50 } }, 600);
    const live = await subscribe(world.gateway);
    const past = await subscribe(world.gateway, { args: `${DEBTORS} since: "2025-01-01T00:00:00Z"` });
    await past.untilEvents(60);
    changeDebtor(world, 590, 'now');
    expect((await live.untilEvents(1))[0]?.debtor?.name).toBe('now');
    await past.untilEvents(600);
    await past.untilNames('now');
    const ids = past.events.map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(live.events).toHaveLength(1);
  });

  test('starts at most 90 days ago for deleted records, and at any time for others', async () => {
    const world = await startWorld();
    deleteCase(world, 'old', 0, new Date(Date.now() - 89 * DAY));
    const within = await subscribe(world.gateway, {
      args: `kinds: [CREDIT_CASE_DELETED] since: "${ago(89.5 * DAY)}"`,
    });
    expect(await within.untilEvents(1)).toMatchObject([{ deletedCreditCase: { internalId: 'old' } }]);
    const beyond = await subscribe(world.gateway, { args: `since: "${ago(91 * DAY)}"` });
    await beyond.toEnd();
    expect(beyond.errors).toMatchObject([
      {
        message: expect.stringContaining('Read the lists again'),
        extensions: { code: 'CHANGES_EXPIRED', ends: true },
      },
    ]);
    expect(beyond.errors[0]?.extensions).not.toHaveProperty('cursor');
    const debtors = await subscribe(world.gateway, { args: `${DEBTORS} since: "${ago(900 * DAY)}"` });
    expect(await debtors.untilEvents(5)).toHaveLength(5);
  });
});

describe('a subscription with an impossible start', () => {
  test.each([
    ['no kind', 'kinds: []', 'at least one'],
    ['a cursor of something else', `${DEBTORS} after: "abc"`, 'not the cursor of an event'],
    [
      'a cursor of another administration',
      `${DEBTORS} after: "${cursorOf([1, '1002', { d: [1] }])}"`,
      'another administration',
    ],
    [
      'a cursor of other kinds',
      `after: "${cursorOf([1, ADMINISTRATION, { d: [1] }])}"`,
      'without DECLARATION_LINE_CHANGED',
    ],
    ['the future', `${DEBTORS} since: "2999-01-01T00:00:00Z"`, 'in the future'],
  ])('(%s) is rejected with the reason', async (_what, args, message) => {
    const world = await startWorld();
    const stream = await (await subscribe(world.gateway, { args })).toEnd();
    expect(stream.errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(world.gateway.calls().filter(({ call }) => call.startsWith('GET'))).toEqual([]);
  });

  test('gets an error that names a kind its token may not read', async () => {
    const world = await startWorld();
    const headers = { authorization: 'Bearer demo-token-read-only-debtors' };
    const allowed = await subscribe(world.gateway, { headers });
    expect(allowed.status).toBe(200);
    const refused = await (await subscribe(world.gateway, { args: '', headers })).toEnd();
    expect(refused.errors[0]?.message).toMatch(/Leave \w+ out of `kinds`/);
    const absent = { path: '/v1/health_care/declaration_lines' };
    world.gateway.rest.misbehave({ kind: 'status', status: 404, match: absent });
    const missing = await (await subscribe(world.gateway, { args: '' })).toEnd();
    expect(missing.errors[0]?.message).toMatch(/Leave DECLARATION_LINE_CHANGED out of `kinds`/);
    const stream = await subscribe(world.gateway, { args: `since: "${ago(1_000)}"`, headers });
    const [error] = (await stream.toEnd()).errors;
    expect(error?.extensions).toMatchObject({ code: 'FORBIDDEN', ends: true });
    expect(error?.message).toMatch(/Leave \w+ out of `kinds`/);
  });
});

describe('slots of streams', () => {
  test('are limited and become free when a stream closes', async () => {
    const world = await startWorld({ gateway: { maxSubscriptions: 3, requestTimeoutMs: 500 } });
    const streams = [await subscribe(world.gateway), await subscribe(world.gateway)];
    const refused = await subscribe(world.gateway);
    expect(refused.status).toBe(503);
    // The first counts for the address: the service had not accepted the credential yet.
    await streams[1]?.close();
    await eventually(async () => expect((await subscribe(world.gateway)).status).toBe(200));
  });

  test('do not count operations', async () => {
    const world = await startWorld({ gateway: { maxOperations: 4 } });
    await Promise.all(times(2, () => subscribe(world.gateway)));
    const streams = [await subscribe(world.gateway), await subscribe(world.gateway)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect((await world.gateway.query('{ __typename }')).status).toBe(200);
  });
});
