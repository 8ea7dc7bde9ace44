import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, OTHER_BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { changeDebtor, DEBTORS, deleteCase, startWorld, subscribe } from './support.ts';

const NAMES = `query { debtors(administrationId: "${ADMINISTRATION}") { nodes { internalId name } } }`;

describe('a stream that starts now', () => {
  test('sends later changes and no earlier ones', async () => {
    const world = await startWorld();
    changeDebtor(world, 0, 'before');
    const stream = await subscribe(world.gateway);
    changeDebtor(world, 1, 'after');
    expect(await stream.untilEvents(1)).toMatchObject([
      { kind: 'DEBTOR_CHANGED', debtor: { name: 'after' } },
    ]);
    changeDebtor(world, 0, 'again');
    await stream.untilEvents(2);
    expect(stream.names).toEqual(['after', 'again']);
  });

  test('reads the present before it opens, so a query shows all changes that it does not send', async () => {
    const world = await startWorld({ gateway: { changesPollMs: 60_000, cacheTtlMs: 60_000 } });
    await world.gateway.query(NAMES);
    changeDebtor(world, 0, 'before');
    await subscribe(world.gateway);
    const { data } = await world.gateway.query(NAMES);
    expect(JSON.stringify(data)).toContain('before');
  });

  test('sends a record that changes twice with one timestamp, or changes back', async () => {
    const world = await startWorld();
    const stream = await subscribe(world.gateway);
    const stamp = new Date();
    for (const name of ['one', 'two', 'one', 'two']) {
      changeDebtor(world, 0, name, stamp);
      await stream.untilEvents(stream.events.length + 1);
    }
    expect(stream.names).toEqual(['one', 'two', 'one', 'two']);
    expect(new Set(stream.events.map(({ eventId }) => eventId)).size).toBe(4);
  });
});

describe('polling', () => {
  const poll = (only: unknown) => ({
    call: 'GET /v1/debtors',
    administration_id: ADMINISTRATION,
    per_page: '500',
    updated_after: expect.any(String),
    only,
  });

  test('takes one call per kind and interval, with only the selected fields', async () => {
    const world = await startWorld({ gateway: { changesPollMs: 60_000 } });
    await subscribe(world.gateway, {
      args: 'kinds: [DEBTOR_CHANGED, CREDIT_CASE_DELETED, DEBTOR_CHANGED]',
      selection: '... on DebtorChanged { debtor { postalAddress { city } } }',
    });
    const calls = world.gateway.calls().filter(({ call }) => call !== 'POST /oauth/introspect');
    expect(calls).toEqual([
      poll(['id', 'administration_id', { postal_address: ['city'] }, 'updated_at']),
      {
        call: 'GET /v1/credit_cases/deleted',
        administration_id: ADMINISTRATION,
        deleted_after: expect.any(String),
        per_page: '500',
      },
    ]);
  });

  test('takes one call for all streams of a credential, with the fields that any one selects', async () => {
    const world = await startWorld();
    const [one, other] = await Promise.all([
      subscribe(world.gateway, { selection: 'eventId ... on DebtorChanged { debtor { name } }' }),
      subscribe(world.gateway, {
        selection: 'eventId ... on DebtorChanged { debtor { language: languageCode } }',
      }),
    ]);
    const both = poll(['id', 'administration_id', 'name', 'updated_at', 'language_code']);
    await eventually(() => expect(world.gateway.calls().at(-1)).toEqual(both));
    changeDebtor(world, 0, 'shared');
    expect(await one.untilEvents(1)).toMatchObject([{ debtor: { name: 'shared' } }]);
    expect(await other.untilEvents(1)).toMatchObject([{ debtor: { language: null } }]);
    world.gateway.rest.calls.length = 0;
    await eventually(() => expect(world.gateway.calls().length).toBeGreaterThan(5));
    expect(world.gateway.calls()).toEqual(world.gateway.calls().map(() => both));
  });

  test('sends no changes to another credential', async () => {
    const world = await startWorld();
    const stream = await subscribe(world.gateway);
    const refused = await subscribe(world.gateway, { headers: OTHER_BEARER });
    expect((await refused.toEnd()).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    changeDebtor(world, 0, 'mine');
    await stream.untilEvents(1);
    expect(refused.events).toEqual([]);
  });
});

test('events that arrive together look up their joined records together', async () => {
  const world = await startWorld({}, 50);
  const stream = await subscribe(world.gateway, {
    args: 'kinds: [CREDIT_CASE_DELETED]',
    selection: '... on CreditCaseDeleted { deletedCreditCase { internalId debtor { name } } }',
  });
  world.gateway.rest.calls.length = 0;
  for (const index of times(50, Number)) deleteCase(world, `x${index}`, index);
  await stream.untilEvents(50);
  const lookups = world.gateway.calls().filter(({ call }) => call === 'GET /v1/debtors');
  // A page of changes may be taken in two batches: the first event, and the others.
  expect(lookups.length).toBeLessThanOrEqual(2);
  expect(stream.events).toHaveLength(50);
});

describe('a stream of changes', () => {
  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
  ])('ends with a code and a cursor if the service rejects its credential (%s)', async (status, code) => {
    const world = await startWorld();
    const stream = await subscribe(world.gateway);
    changeDebtor(world, 0, 'sent');
    await stream.untilEvents(1);
    world.gateway.rest.misbehave({ kind: 'status', status, match: { path: '/v1/debtors' } });
    await stream.toEnd();
    expect(stream.isComplete).toBe(true);
    const [error] = stream.errors;
    expect(error).toMatchObject({ extensions: { code, ends: true } });
    changeDebtor(world, 1, 'missed');
    const next = await subscribe(world.gateway, {
      args: `${DEBTORS} after: "${error?.extensions.cursor}"`,
    });
    await next.untilNames('missed');
  });

  test('sends the valid records of a page at once, and an invalid one after it becomes valid', async () => {
    const world = await startWorld();
    const stream = await subscribe(world.gateway);
    const broken = { kind: 'rewrite', times: 3, match: { path: '/v1/debtors' } } as const;
    world.gateway.rest.misbehave({
      ...broken,
      rewrite: (body) => {
        const { data, ...page } = Object(body);
        return { ...page, data: data.map((row: { name: string }) => (row.name === 'odd' ? {} : row)) };
      },
    });
    changeDebtor(world, 0, 'odd');
    changeDebtor(world, 1, 'even');
    await stream.untilEvents(2);
    expect(stream.names).toEqual(['even', 'odd']);
    expect(stream.errors[0]).toMatchObject({
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE', ends: false },
    });
  });
});

test('a stream ends before its token expires', async () => {
  const world = await startWorld();
  world.gateway.rest.misbehave({
    kind: 'rewrite',
    match: { path: '/oauth/introspect' },
    rewrite: (body) => ({ ...Object(body), exp: Math.ceil(Date.now() / 1_000) + 4 }),
  });
  const headers = { authorization: `Bearer ${demoCredentials.accessToken}` };
  const stream = await (await subscribe(world.gateway, { headers })).toEnd();
  expect(stream.errors).toMatchObject([
    {
      message: expect.stringContaining('about to expire'),
      extensions: { code: 'UNAUTHENTICATED', ends: true },
    },
  ]);
});

test('a stream continues if its token has expired only by the clock of the gateway', async () => {
  // This is more than the two hours for which the service issues its token.
  const world = await startWorld({ rest: { now: () => Date.now() - 10_000_000 } });
  const headers = { authorization: `Bearer ${demoCredentials.accessToken}` };
  const stream = await subscribe(world.gateway, { headers });
  changeDebtor(world, 0, 'sent');
  await stream.untilNames('sent');
  expect(stream.errors).toEqual([]);
});
