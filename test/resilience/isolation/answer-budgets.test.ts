import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { memoryLimits } from '../../../src/limits/memory-limits.ts';
import { eventsAtOnce } from '../../../src/request/cost.ts';
import { encodeGlobalId } from '../../../src/schema/fields/global-id.ts';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BASIC, BEARER, BOTH, freshGateway, type TestOptions, useGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { times } from '../../support/times.ts';

const gateway = await useGateway();
const NOBODY = {};

const administrations = (count: number) =>
  times(count, (index) =>
    encodeGlobalId({ type: 'Administration', administration: `${index}`, id: `${index}` }),
  );
const aliased = (count: number, field: string) => times(count, (index) => `a${index}: ${field}`).join(' ');

const NAMES = aliased(31, 'name');
const FIELDS = 'name debtorNumber debtorIdentifier vatNumber cocNumber remark';

const LONG = '1250000 characters';

describe('refused before any REST call', () => {
  test.each([
    ['two million ids that are none', 200, 'nodes(ids: $i) { id }', times(10_000, () => 'x'), LONG],
    ['two million administrations', 200, 'nodes(ids: $i) { id }', administrations(10_000), LONG],
    [
      'values of filters',
      200,
      'debtors(administrationId: "1", ids: $i) { nodes { name } }',
      times(600, String),
      LONG,
    ],
    [
      'joins of many rows',
      35,
      'deletedCreditCases(administrationId: "1001", first: 10000) { nodes { debtor { name } } }',
      [],
      '100000 objects',
    ],
    [
      'values for each row of a list',
      1,
      'debtors(administrationId: "1", first: 10000) { nodes { administration { debtors(ids: $i) { nodes { name } } } } }',
      times(600, String),
      LONG,
    ],
    [
      'long ids in each of many administrations',
      1,
      `nodes(ids: $i) { ... on Administration { debtors(ids: ["${'é'.repeat(900)}"], first: 1) { nodes { name } } } }`,
      administrations(1_500),
      LONG,
    ],
    [
      'conditions in each of many administrations',
      1,
      `nodes(ids: $i) { ... on Administration { ${aliased(12, 'debtors(first: 1, where: { name: { eq: "x" } }) { nodes { name } }')} } }`,
      times(3_500, () => administrations(1)[0] ?? ''),
      LONG,
    ],
  ])('are %s', async (_what, count, field, i, why) => {
    const variables = field.includes('$i') ? '($i: [ID!]!)' : '';
    const answer = await gateway.query(`query ${variables} { ${aliased(count, field)} }`, { i }, NOBODY);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.errors?.[0]?.message).toContain(why);
    expect(gateway.rest.calls).toEqual([]);
  });

  test('are lists inside lists, whose rows multiply', async () => {
    const inside = (depth: number): string =>
      depth === 0 ? 'name' : `administration { debtors(first: 300) { nodes { ${inside(depth - 1)} } } }`;
    const answer = await gateway.query(
      `{ debtors(administrationId: "1001", first: 300) { nodes { ${inside(2)} } } }`,
    );
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(gateway.rest.calls).toEqual([]);
  });

  test('are lists of more administrations than there may be calls', async () => {
    const source =
      'query ($i: [ID!]!) { nodes(ids: $i) { ... on Administration { debtors(first: 1) { nodes { name } } } } }';
    const answer = await gateway.query(source, { i: administrations(60) });
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(answer.errors?.[0]?.message).toContain('60 REST calls');
    expect(gateway.rest.calls).toEqual([]);
  });
});

test.each([
  ['nodes(ids: $i) { id }', '`ids` takes at most 10000 ids'],
  ['debtors(administrationId: "1001", ids: $i) { nodes { name } }', '`ids` takes at most 10000 values'],
])('a list of ids longer than any list is refused unread: %s', async (field, message) => {
  const i = times(10_001, () => encodeGlobalId({ type: 'Debtor', administration: '1', id: '1' }));
  const answer = await gateway.query(`query ($i: [ID!]!) { ${field} }`, { i });
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  expect(answer.errors?.[0]?.message).toContain(message);
  expect(gateway.rest.calls).toEqual([]);
});

test('ten thousand bad ids are told as five hundred errors', async () => {
  const source = 'query ($i: [ID!]!) { a: nodes(ids: $i) { id } b: nodes(ids: $i) { id } }';
  const answer = await gateway.query(source, { i: times(10_000, () => 'x') }, NOBODY);
  expect(answer.data).toEqual({ a: times(10_000, () => null), b: times(10_000, () => null) });
  expect(answer.errors).toHaveLength(500);
  expect(new Set(codesOf(answer))).toEqual(new Set(['BAD_USER_INPUT']));
});

describe('stopped in the middle', () => {
  const few: TestOptions = { gateway: { maxObjects: 200 } };
  const LABELS = '{ debtors(administrationId: "1001", first: 90) { nodes { labels { name } } } }';

  test('is an answer of more objects than could be foreseen', async () => {
    const small = await freshGateway(few);
    const answer = await small.query(LABELS);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.data).toBeUndefined();
    expect(answer.errors?.[0]?.message).toContain('more than 200 objects');
    expect(codesOf(await small.query(DEBTORS))).toEqual([]);
  });

  test.each([
    ['lists', `debtors(administrationId: "1001", first: 10000) { nodes { ${FIELDS} } }`],
    ['edges', 'debtors(administrationId: "1001", first: 10000) { edges { node { name } } }'],
  ])('are many long %s, at the objects that they really have', async (_what, field) => {
    const small = await freshGateway({ gateway: { maxObjects: 10_000 } });
    const answer = await small.query(`{ ${aliased(35, field)} }`);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.errors?.[0]?.message).toContain('more than 10000 objects');
    expect(codesOf(await small.query(`{ ${field} }`))).toEqual([]);
  });

  test('are many objects of each row', async () => {
    const rows = `debtors(administrationId: "1001", first: 10000) { nodes { ${aliased(190, 'labels { name }')} } }`;
    const answer = await gateway.query(`{ ${rows} }`);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.errors?.[0]?.message).toContain('more than 100000 objects');
  });

  test('is introspection, which no list bounds', async () => {
    const small = await freshGateway(few);
    const answer = await small.query(getIntrospectionQuery(), {}, NOBODY);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
  });

  test('makes no further REST call', async () => {
    const small = await freshGateway({ gateway: { maxObjects: 450 } });
    small.rest.misbehave({ kind: 'delay', milliseconds: 100, match: { path: '/v1/payments/deleted' } });
    const answer = await small.query(`{
      debtors(administrationId: "1001", first: 200) { nodes { labels { name } } }
      deletedPayments(administrationId: "1001", first: 1) { nodes { internalId } }
    }`);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    // It came before the payments did, which nobody waited for.
    await eventually(() => expect(small.rest.calls.map(({ status }) => status)).toContain(0));
  });

  const COMMENTS =
    'mutation { unmarkTaskCompleted(input: { taskId: "400001", administrationId: "1001" }) { task { internalId comments { content } } } }';

  test('is no write: it is made, and only its answer is missing', async () => {
    const small = await freshGateway({ gateway: { maxAnswerBytes: 30 } });
    const { id, administration_id } = small.rest.data.tasks[0] ?? { id: '', administration_id: '' };
    const answer = await small.query(COMMENTS.replace('400001', id).replace('1001', administration_id));
    expect(small.calls().map(({ call }) => call)).toEqual([`PATCH /v1/tasks/${id}/unmark_completed`]);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect([answer.status, answer.data]).toEqual([200, { unmarkTaskCompleted: null }]);
    expect(answer.errors?.[0]?.message).toContain('its writes were made: do not send it again');
    expect(answer.extensions.cost).toMatchObject({ calls: 1 });
  });
});

describe('an answer that is too long', () => {
  const short: TestOptions = { gateway: { maxAnswerBytes: 20_000 } };
  test.each([
    ['by its keys', `{ debtors(administrationId: "1001", first: 100) { nodes { ${NAMES} } } }`],
    ['by its values', '{ debtors(administrationId: "1001", first: 400) { nodes { name vatNumber } } }'],
    [
      'though it is written in pieces',
      '{ debtors(administrationId: "1001", first: 5000) { nodes { n: name } } }',
    ],
  ])('is refused: %s', async (_how, source) => {
    const small = await freshGateway(short);
    const answer = await small.query(source);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.errors?.[0]?.message).toContain('longer than 20000 bytes');
    expect(answer.errors?.[0]?.extensions.requestId).toBe(answer.headers.get('x-request-id'));
  });
});

test('an answer that is too long is refused from the cache as well', async () => {
  const small = await freshGateway({ gateway: { maxAnswerBytes: 20_000, cacheTtlMs: 60_000 } });
  const source = '{ debtors(administrationId: "1001", first: 400) { nodes { name vatNumber } } }';
  for (const _ of times(3, () => 0)) {
    expect(codesOf(await small.query(source))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  }
  expect(small.rest.calls).toHaveLength(1);
});

test('no answer is longer than half of what may be unread', async () => {
  const memory = { ...memoryLimits(), unsentBytes: 40_001 };
  const small = await freshGateway({ gateway: { memory } });
  const answer = await small.query(
    '{ debtors(administrationId: "1001", first: 400) { nodes { name vatNumber } } }',
  );
  expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(answer.errors?.[0]?.message).toContain('longer than 20000 bytes');
});

describe('a large answer', () => {
  const SOURCE = `{ debtors(administrationId: "1001", first: 3000) { edges { cursor node { ${NAMES} labels { name } } } } }`;

  test('is the same as its parts, whether or not it is written in pieces', async () => {
    const whole = await gateway.query(SOURCE, {}, { ...BEARER, 'accept-encoding': 'identity' });
    expect(codesOf(whole)).toEqual([]);
    expect(JSON.parse(whole.text)).toMatchObject({
      data: { debtors: { edges: { length: expect.any(Number) } } },
    });
    expect(whole.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
    const edges: unknown[] = [];
    let after = 'null';
    do {
      const page = await gateway.query(
        SOURCE.replace('first: 3000', `first: 300, after: ${after}`).replace(
          'edges',
          'pageInfo { endCursor hasNextPage } edges',
        ),
      );
      const { debtors } = page.data as {
        debtors: { edges: unknown[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
      };
      edges.push(...debtors.edges);
      after = debtors.pageInfo.hasNextPage ? JSON.stringify(debtors.pageInfo.endCursor) : '';
    } while (after !== '');
    expect(whole.data).toEqual({ debtors: { edges: edges.slice(0, 3000) } });
  });

  test('tells its errors beside its data', async () => {
    const answer = await gateway.query(
      `{ node(id: "x") { id } debtors(administrationId: "1001", first: 3000) { nodes { ${NAMES} } } }`,
      {},
      { ...BEARER, 'x-explain': 'true' },
    );
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.data).toMatchObject({ node: null, debtors: { nodes: { length: expect.any(Number) } } });
    expect(answer.extensions.explain?.length).toBeGreaterThan(3);
  });
});

test('lookups that fail leave the other items of a long list', async () => {
  const ids = [
    ...administrations(9_900),
    ...times(50, (index) => encodeGlobalId({ type: 'Debtor', administration: '1001', id: String(index) })),
  ];
  const source = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }';
  const answer = await gateway.query(source, { ids }, { authorization: 'Bearer nobody' });
  expect(codesOf(answer)).toEqual(times(50, () => 'UNAUTHENTICATED'));
  expect(answer.data).toMatchObject({
    nodes: { length: 9_950, 9899: { __typename: 'Administration' }, 9900: null },
  });
});

test.each([
  ['a few fields', 0, 20_000, 100],
  ['two hundred lists', 0, 1_000_000, 5],
  ['arguments as long as there may be', 1_200_000, 20_000, 1],
])(
  'of events with %s, no more are executed together than one operation may ask for',
  (_what, length, plan, most) => {
    expect(eventsAtOnce({ argumentLength: length }, plan)).toBe(most);
  },
);

describe('what is asked for at once is bounded as it is asked for', () => {
  const lists = (count: number) =>
    times(count, (index) => `a${index}: debtors(first: ${index + 1}) { nodes { name } }`).join(' ');
  const manyAdministrations = {
    kind: 'rewrite',
    rewrite: (body: unknown) => ({
      ...Object(body),
      administrations: times(100, (index) => ({ id: String(5_000 + index), name: 'x' })),
    }),
    match: { path: '/oauth/introspect' },
  } as const;

  test('for each administration of a token', async () => {
    gateway.rest.misbehave(manyAdministrations);
    const answer = await gateway.query(`{ viewer { administrations { ${lists(100)} } } }`, {}, BOTH);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls.map(({ path }) => path)).not.toContain('/v1/debtors');
  });

  test('for totals that wait for one list', async () => {
    const totals = times(30, (index) => `t${index}: totals { count }`).join(' ');
    const fields = times(4, (index) => `a${index}: debtors(among: ${index + 1}) { ${totals} }`).join(' ');
    const ids = JSON.stringify(times(100, () => administrations(1)[0]));
    const answer = await gateway.query(`{ nodes(ids: ${ids}) { ... on Administration { ${fields} } } }`);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls).toEqual([]);
  });

  test('also where arguments are wrong', async () => {
    gateway.rest.misbehave(manyAdministrations);
    const wrong = aliased(100, 'debtors(first: 0) { nodes { name } }');
    const answer = await gateway.query(`{ viewer { administrations { ${wrong} } } }`, {}, BOTH);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
  });

  test('for lists with ids deep in their conditions', async () => {
    gateway.rest.misbehave(manyAdministrations);
    const list = 'debtors(where: { or: [{ internalId: { in: $ids } }] }) { nodes { name } }';
    const answer = await gateway.query(
      `query ($ids: [ID!]) { viewer { administrations { ${list} } } }`,
      { ids: times(10_000, String) },
      BOTH,
    );
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls.map(({ path }) => path)).not.toContain('/v1/debtors');
  });

  test('in a mutation, whose writes are told', async () => {
    gateway.rest.misbehave(manyAdministrations);
    const answer = await gateway.query(
      `mutation { introspectToken(input: { token: "x" }) { administrations { ${lists(40)} } } }`,
      {},
      BASIC,
    );
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(answer.text).toContain('do not send it again');
  });

  test('for each row of an export', async () => {
    const lookups = times(10, (index) => `a${index}: debtor(by: { debtorNumber: "${index}" }) { name }`);
    const query = `{ debtors(administrationId: "1001") { nodes { administration { ${lookups.join(' ')} } } } }`;
    const response = await fetch(`${gateway.url}.ndjson`, {
      method: 'POST',
      headers: { ...BEARER, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(codesOf(await response.json())).toEqual(['OPERATION_TOO_EXPENSIVE']);
  });
});
