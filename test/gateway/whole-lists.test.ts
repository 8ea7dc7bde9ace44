import { describe, expect, test } from 'vitest';
import type { Debtor } from '../../src/demo/data/records.ts';
import { memoryLimits } from '../../src/limits/memory-limits.ts';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  type Answer,
  BASIC,
  BOTH,
  freshGateway,
  SMALL_ADMINISTRATION,
  startGateway,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { times } from '../support/times.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];
const debtors = debtorsOf(gateway, SMALL_ADMINISTRATION);
const WALK = { call: 'GET /v1/debtors', administration_id: SMALL_ADMINISTRATION, per_page: '500' };
const LIST = `debtors(administrationId: "${SMALL_ADMINISTRATION}"`;
const BY_AMOUNT = 'orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }]';

/** The two pages of the small administration, with these fields beside the required ones. */
function walkOf(...only: readonly unknown[]) {
  const fields = [...READS, ...only];
  return [
    { ...WALK, only: fields },
    { ...WALK, only: fields, cursor: present(debtors[499]).id },
  ];
}

interface Debtors {
  readonly nodes: readonly { readonly [field: string]: unknown }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly internalId: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totals: { readonly [field: string]: unknown };
  readonly groups: readonly { readonly key: string | null; readonly totals: { readonly count: number } }[];
}

async function ask(document: string, variables?: object): Promise<Debtors> {
  const { data, errors }: Answer<unknown> = await gateway.query(document, variables);
  expect(errors).toBeUndefined();
  return debtorsIn(data);
}

function debtorsIn(data: unknown): Debtors {
  const found: unknown = Reflect.get(Object(data), 'debtors');
  expect(found).toBeTypeOf('object');
  return found as Debtors;
}

/** By amount, the largest first, and then by id. */
const byAmount = debtors.toSorted(
  (a, b) => Number(b.book_open_amount) - Number(a.book_open_amount) || Number(a.id) - Number(b.id),
);

describe('the REST calls', () => {
  test('of an order ask for what it compares, and once more for the rest of a short page', async () => {
    const { nodes } = await ask(`{ ${LIST}, ${BY_AMOUNT}, first: 3) { nodes { internalId name } } }`);
    const top = byAmount.slice(0, 3);
    expect(nodes).toEqual(top.map(({ id, name }) => ({ internalId: id, name })));
    expect(gateway.calls()).toEqual([
      ...walkOf('book_open_amount'),
      {
        call: 'GET /v1/debtors',
        administration_id: SMALL_ADMINISTRATION,
        ids: top.map(({ id }) => id).join(),
        per_page: '3',
        only: [...READS, 'name'],
      },
    ]);
  });

  test.each([
    ['of a page whose fields are compared', `${BY_AMOUNT}, first: 3`, 'bookOpenAmount', ['book_open_amount']],
    ['of a long page', `${BY_AMOUNT}, first: 101`, 'name', ['book_open_amount', 'name']],
    ['of most of the list', `${BY_AMOUNT}, first: 2, ids: ["300001", "300002"]`, 'name', undefined],
  ])('%s are those of the walk alone', async (_, args, selection, only) => {
    await ask(`{ ${LIST}, ${args}) { nodes { ${selection} } } }`);
    if (only) expect(gateway.calls()).toEqual(walkOf(...only));
    else expect(gateway.calls()).toHaveLength(1);
  });

  test('of totals alone read no page', async () => {
    const { totals } = await ask(`{ ${LIST}) { totals { count isComplete } } }`);
    expect(totals).toEqual({ count: debtors.length, isComplete: true });
    expect(gateway.calls()).toEqual(walkOf());
  });

  test('of totals beside a page are those of both', async () => {
    const { nodes } = await ask(
      `{ ${LIST}, first: 2) { nodes { name } totals { bookOpenAmount { sum } } } }`,
    );
    expect(nodes).toEqual(debtors.slice(0, 2).map(({ name }) => ({ name })));
    const page = { ...WALK, per_page: '2', only: [...READS, 'name'] };
    expect(gateway.calls().toSorted(byPerPage)).toEqual([page, ...walkOf('book_open_amount')]);
  });

  test('of totals beside a long page are those of one walk', async () => {
    const { nodes } = await ask(
      `{ ${LIST}, first: 600) { nodes { name } totals { bookOpenAmount { sum } } } }`,
    );
    expect(nodes).toHaveLength(600);
    expect(gateway.calls()).toEqual(walkOf('book_open_amount', 'name'));
  });

  test('of all that one operation asks of a list are one walk, however far each reads', async () => {
    await gateway.query(`{
      a: ${LIST}, where: { name: { contains: "a" } }, first: 1) { nodes { name } }
      b: ${LIST}, ${BY_AMOUNT}, first: 1) { nodes { bookOpenAmount } }
      c: ${LIST}, among: 10) { totals { count isComplete } groups(by: LANGUAGE_CODE) { key } }
    }`);
    expect(gateway.calls()).toEqual(walkOf('name', 'book_open_amount', 'language_code'));
  });

  test('of groups ask for both fields that they are by, and for the amount that orders them', async () => {
    await ask(`{ ${LIST}) {
      groups(by: LANGUAGE_CODE, thenBy: LABELS_NAME, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }]) { key thenKey }
    } }`);
    expect(gateway.calls()).toEqual(walkOf('language_code', { labels: ['name'] }, 'book_open_amount'));
  });

  test('of a list without them are what they were', async () => {
    await ask(`{ ${LIST}, first: 2, where: {}, orderBy: [], among: 1) { nodes { name } } }`);
    expect(gateway.calls()).toEqual([{ ...WALK, per_page: '2', only: [...READS, 'name'] }]);
  });

  test('of lists that take no `fields` or no `ids` are those of the walk', async () => {
    const answer = await gateway.query(
      `{
        deletedPayments(administrationId: "${ADMINISTRATION}", orderBy: [{ field: DELETED_AT, direction: DESC }], first: 2) {
          nodes { originIdentifier }
        }
        companies(where: { name: { isNull: false } }, orderBy: [{ field: NAME }], first: 2) { nodes { status } }
      }`,
      {},
      BOTH,
    );
    expect(answer.errors).toBeUndefined();
    const calls = gateway.calls().map(({ call, only }) => ({ call, only }));
    expect(calls).toContainEqual({ call: 'GET /v1/payments/deleted', only: undefined });
    expect(calls).toContainEqual({ call: 'GET /v1/companies', only: ['id', 'name', 'status'] });
    expect(new Set(calls.map(({ call }) => call)).size).toBe(calls.length);
  });
});

function byPerPage(
  a: { readonly [parameter: string]: unknown },
  b: { readonly [parameter: string]: unknown },
) {
  return Number(a.per_page) - Number(b.per_page);
}

test('what is cached is not asked for again', async () => {
  const cached = await startGateway({ gateway: { cacheTtlMs: 60_000 } });
  try {
    const query = `{ ${LIST}, ${BY_AMOUNT}, first: 3) { nodes { name } } }`;
    await cached.query(query);
    const before = cached.rest.calls.length;
    await cached.query(query.replace('DESC', 'ASC').replace('{ name }', '{ bookOpenAmount }'));
    expect(cached.rest.calls).toHaveLength(before);
  } finally {
    await cached.close();
  }
});

describe('a list that is longer than `among`', () => {
  test.each([BY_AMOUNT, 'where: { name: { contains: "a" } }'])('is an error with %s', async (args) => {
    const answer = await gateway.query(
      `{ ${LIST}, ${args}, among: 934) { nodes { name } totals { count } } }`,
    );
    expect(codesOf(answer)).toEqual(['LIST_TOO_LONG']);
    expect(answer.errors?.[0]?.message).toContain('`updatedAfter`');
    expect(answer.data).toEqual({ debtors: null });
  });

  test('has totals that are not complete', async () => {
    const { totals } = await ask(`{ ${LIST}, among: 934) { totals { count isComplete } } }`);
    expect(totals).toEqual({ count: 934, isComplete: false });
  });

  test('is not one that has as many', async () => {
    const query = `{ ${LIST}, ${BY_AMOUNT}, among: 935, first: 1) { nodes { name } totals { count isComplete } } }`;
    expect((await ask(query)).totals).toEqual({ count: 935, isComplete: true });
  });
});

describe('pages', () => {
  test('of an order have every row once, whichever cursor they go on from', async () => {
    const query = `query ($after: String, $first: Int) {
      ${LIST}, orderBy: [{ field: POSTAL_ADDRESS_COUNTRY_CODE }], first: $first, after: $after) {
        edges { cursor node { internalId } } pageInfo { hasNextPage endCursor }
      }
    }`;
    const { edges: all } = await ask(query, { first: 1_000 });
    expect(all).toHaveLength(debtors.length);
    const collected: string[] = [];
    let after: string | null = null;
    do {
      const { edges, pageInfo }: Debtors = await ask(query, { first: 400, after });
      collected.push(...edges.map(({ node }) => node.internalId));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(collected).toEqual(all.map(({ node }) => node.internalId));
    const { edges } = await ask(query, { first: 2, after: present(all[699]).cursor });
    expect(edges).toEqual(all.slice(700, 702));
  });

  test.each([
    ['a plain one', 'Xg.MzAwMDAx'],
    ['of another order', Buffer.from('["name+","x","1"]').toString('base64url')],
    ['of a value that it cannot have', Buffer.from('["book_open_amount-","much","1"]').toString('base64url')],
    ['no JSON', 'W10x'],
    ['an empty text', ''],
  ])('do not start behind a cursor that is %s', async (_, after) => {
    const query = `query ($after: String) { ${LIST}, ${BY_AMOUNT}, after: $after) { nodes { name } } }`;
    expectRefused(gateway, await gateway.query(query, { after }));
  });

  test('start behind a text in any spelling that is equal', async () => {
    const query = `query ($after: String) { ${LIST}, orderBy: [{ field: NAME }], first: 5, after: $after) {
      edges { cursor node { internalId name } }
    } }`;
    const { edges } = await ask(query);
    const { cursor, node } = present(edges[2]);
    const name = String(Reflect.get(node, 'name'));
    const spelled = (text: string) =>
      Buffer.from(JSON.stringify(['name+', text, node.internalId])).toString('base64url');
    for (const after of [cursor, spelled(name), spelled(name.toUpperCase())])
      expect((await ask(query, { after })).edges.slice(0, 2)).toEqual(edges.slice(3));
  });

  test('without an order do not start behind the cursor of one', async () => {
    const { pageInfo } = await ask(`{ ${LIST}, ${BY_AMOUNT}, first: 1) { pageInfo { endCursor } } }`);
    gateway.rest.calls.length = 0;
    const query = `query ($after: String) { ${LIST}, after: $after) { nodes { name } } }`;
    expectRefused(gateway, await gateway.query(query, { after: pageInfo.endCursor }));
  });

  test('leave out a row that was deleted before it was completed', async () => {
    const [gone, ...next] = byAmount;
    const isGone = (row: object) => Reflect.get(row, 'id') === present(gone).id;
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 0, times: 2 });
    gateway.rest.misbehave(changeRows((rows) => rows.filter((row) => !isGone(row))));
    const { nodes } = await ask(
      `{ ${LIST}, ${BY_AMOUNT}, first: 2) { nodes { name } pageInfo { hasNextPage } } }`,
    );
    expect(nodes).toEqual([{ name: present(next[0]).name }]);
  });
});

describe('what cannot be read', () => {
  const spoil = (change: (row: object) => object) =>
    gateway.rest.misbehave(changeRows(([first = {}, ...rows]) => [change(first), ...rows]));
  const TOTALS =
    'totals { count isComplete bookOpenAmount { count } } groups(by: LANGUAGE_CODE) { totals { isComplete } }';

  test.each([
    ['a row', () => ({ administration_id: SMALL_ADMINISTRATION }), 934, 934],
    ['an amount', (row: object) => ({ ...row, book_open_amount: 'much' }), 935, 934],
  ])('of totals is told: %s', async (_, change, count, amounts) => {
    spoil(change);
    const answer = await gateway.query(`{ ${LIST}) { ${TOTALS} } }`);
    // Totals and groups are worked out side by side: either may be told first.
    const told = answer.errors?.toSorted((one, other) => String(other.path).localeCompare(String(one.path)));
    expect(told).toMatchObject([
      { path: ['debtors', 'totals'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
      ...(count === 934 ? [{ path: ['debtors', 'groups'] }] : []),
    ]);
    const { totals } = debtorsIn(answer.data);
    expect(totals).toEqual({ count, isComplete: false, bookOpenAmount: { count: amounts } });
  });

  test.each([
    ['a row', () => ({ administration_id: SMALL_ADMINISTRATION })],
    ['an amount', (row: object) => ({ ...row, book_open_amount: 'much' })],
  ])('of an order is told beside its page: %s', async (_, change) => {
    spoil(change);
    const answer = await gateway.query(`{ ${LIST}, ${BY_AMOUNT}, first: 1) { nodes { bookOpenAmount } } }`);
    expect(answer.errors).toMatchObject([
      { path: ['debtors'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
    ]);
    expect(debtorsIn(answer.data).nodes).toHaveLength(1);
  });

  test('of a page because of its id fails alone', async () => {
    spoil((row) => ({ ...row, id: '1,2', book_open_amount: '9'.repeat(30) }));
    const answer = await gateway.query(`{ ${LIST}, ${BY_AMOUNT}, first: 2) { nodes { name } } }`);
    expect(answer.errors).toMatchObject([
      { path: ['debtors', 'nodes', 0], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
    ]);
    expect(debtorsIn(answer.data).nodes).toEqual([null, { name: expect.any(String) }]);
  });

  test('of totals because a call failed takes no page with it', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    const answer = await gateway.query(`{ ${LIST}, first: 1) { nodes { name } totals { count } } }`);
    expect(answer.data).toEqual({ debtors: { nodes: [{ name: present(debtors[0]).name }], totals: null } });
    expect(answer.errors).toMatchObject([{ path: ['debtors', 'totals'], extensions: { code: 'FORBIDDEN' } }]);
  });
});

const MANY_CONDITIONS = `where: { or: [${'{ name: { eq: "x" } }'.repeat(100)}] }`;
const MANY_FIELDS = `orderBy: [${'{ field: NAME }'.repeat(11)}]`;

test.each([
  'among: 0',
  'among: -1',
  `${BY_AMOUNT}, first: 0`,
  'where: { bookOpenAmount: { gt: "1e3" } }',
  `where: { name: { contains: "${'x'.repeat(1001)}" } }`,
  MANY_CONDITIONS,
  MANY_FIELDS,
])('%s is refused before a call', async (args) => {
  expectRefused(gateway, await gateway.query(`{ ${LIST}, ${args}) { nodes { name } } }`));
});

test('nothing is compiled without a credential', async () => {
  const answer = await gateway.query(`{ ${LIST}, ${MANY_CONDITIONS}) { nodes { name } } }`, {}, {});
  expectRefused(gateway, answer, 'UNAUTHENTICATED');
});

test.each([
  ['LABELS_NAME', ({ labels }: Debtor) => (labels ?? []).map(({ name }) => name), 'Zakelijk'],
  ['REMARK', ({ remark }: Debtor) => (remark ? [remark] : []), 'ó'],
])('a group by %s has its key in the text of the service', async (field, keysOf, part) => {
  const { groups } = await ask(`{ ${LIST}) { groups(by: ${field}) { key totals { count } } } }`);
  const counts = new Map<string | null, number>();
  for (const debtor of debtors) {
    const keys = new Set(keysOf(debtor));
    for (const key of keys.size > 0 ? keys : [null]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(new Map(groups.map(({ key, totals }) => [key, totals.count]))).toEqual(counts);
  expect([...counts.keys()].some((key) => key?.includes(part))).toBe(true);
});

test.each([
  ['an order by a second key that there is none of', 'orderBy: [{ field: THEN_KEY }]', 'give `thenBy`'],
  ['more criteria than an order has', `orderBy: [${'{ field: COUNT } '.repeat(11)}]`, 'at most 10'],
])('groups refuse %s', async (_, args, message) => {
  const answer = await gateway.query(`{ ${LIST}, ids: ["300001"]) { groups(by: NAME, ${args}) { key } } }`);
  expect(answer.errors).toMatchObject([
    { message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});

test('lists of an application are ordered as its own', async () => {
  const answer = await gateway.query(
    '{ companies(orderBy: [{ field: NAME }]) { totals { count } } }',
    {},
    BASIC,
  );
  expect(answer.errors).toBeUndefined();
});

test('what many aliases take to be worked out is kept for one at a time', async () => {
  const memory = { ...memoryLimits(), operationBytes: 1_200_000 };
  const small = await freshGateway({ gateway: { memory } });
  const long = changeRows((rows) =>
    rows.slice(-60).map((row) => ({ ...row, remark: `${Reflect.get(row, 'id')} ${'ж'.repeat(900)}` })),
  );
  small.rest.misbehave({ ...long, times: 2 });
  const groups = times(5, (index) => `g${index}: groups(by: REMARK, first: 1) { totals { count } }`).join(
    ' ',
  );
  const orders = times(
    5,
    (index) => `o${index}: ${LIST}, orderBy: [{ field: REMARK }], first: 1) { nodes { internalId } }`,
  );
  const answer = await small.query(`{ ${LIST}) { ${groups} } ${orders.join(' ')} }`);
  expect(answer.errors).toBeUndefined();
});
