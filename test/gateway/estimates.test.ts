import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  type Answer,
  BEARER,
  BOTH,
  EXPLAIN,
  freshGateway,
  SMALL_ADMINISTRATION,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { createData } from '../support/rest-world.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';

const gateway = await useGateway({ gateway: { maxCalls: 1000 } });
/** With as many calls as by default. */
const limited = await useGateway();
const { debtors, declarationLines, tasks } = gateway.rest.data;

const EXPLAINED = { ...BOTH, ...EXPLAIN };

const ADMINISTRATIONS = [ADMINISTRATION, SMALL_ADMINISTRATION];
const own = <R extends { readonly administration_id: string }>(records: readonly R[]) =>
  records.filter(({ administration_id }) => ADMINISTRATIONS.includes(administration_id)).slice(0, 400);
const someDebtors = own(debtors);
const globalIds = [
  ...someDebtors.map(({ id, administration_id }) => ({
    type: 'Debtor',
    administration: administration_id,
    id,
  })),
  ...own(declarationLines).map(({ id, administration_id }) => ({
    type: 'DeclarationLine',
    administration: administration_id,
    id,
  })),
  ...ADMINISTRATIONS.map((id) => ({ type: 'Administration', administration: id, id })),
].map(encodeGlobalId);

const someTasks = own(tasks);

function costOf({ extensions }: Answer<unknown>) {
  return { calls: 0, estimatedCalls: 0, ...extensions.cost };
}

const first = fc.integer({ min: 1, max: 3 });
const administration = fc.constantFrom(...ADMINISTRATIONS);

/** Several fields side by side, each under a name of its own. */
function sideBySide(field: fc.Arbitrary<string>, most = 3): fc.Arbitrary<string> {
  return fc
    .array(field, { minLength: 1, maxLength: most })
    .map((fields) => fields.map((text, index) => `a${index}: ${text}`).join(' '));
}

/** What needs all of a list, in words that every list knows; most lists have none of it. */
const whole = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ args: '', totals: '' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      args: fc.constantFrom(
        '',
        ', where: { internalId: { isNull: false } }',
        ', orderBy: [{ field: INTERNAL_ID, direction: DESC }]',
      ),
      totals: fc.constantFrom('', 'totals { count }', 'groups(by: ADMINISTRATION_ID) { key }'),
    }),
  },
);

function connection(name: string, args: fc.Arbitrary<string>, node: fc.Arbitrary<string>) {
  const rows = fc
    .tuple(node, fc.constantFrom('nodes', 'edges', 'none'))
    .map(([selection, shape]) =>
      shape === 'nodes'
        ? `nodes { ${selection} }`
        : shape === 'edges'
          ? `edges { node { ${selection} } }`
          : '',
    );
  return fc
    .tuple(args, rows, whole)
    .map(
      ([text, page, { args: more, totals }]) =>
        `${name}(${text}${more}) { ${page} ${totals} ${page || totals ? '' : 'pageInfo { hasNextPage }'} }`,
    );
}

/** What an administration offers; `prefix` names it where that is not known from around. */
function inAdministration(depth: number, prefix: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const page = fc.tuple(prefix, first).map(([text, count]) => `${text}first: ${count}`);
  const filtered = fc
    .tuple(page, fc.array(fc.constantFrom(...someDebtors), { maxLength: 150 }))
    .map(([text, some]) => `${text}, ids: ${JSON.stringify(some.map(({ id }) => id))}`);
  const by = fc
    .constantFrom(...someDebtors)
    .chain(({ id, debtor_number }) => fc.constantFrom(`id: "${id}"`, `debtorNumber: "${debtor_number}"`));
  return fc.oneof(
    connection('debtors', fc.oneof(page, filtered), debtor(depth)),
    connection('declarationLines', page, withAdministration(depth)),
    connection('deletedCreditCases', page, fc.oneof(fc.constant('internalId'), deletedCase(depth))),
    fc
      .tuple(prefix, by, debtor(depth))
      .map(([text, key, selection]) => `debtor(${text}by: { ${key} }) { ${selection} }`),
  );
}

function withAdministration(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return fc.constant('internalId');
  return sideBySide(inAdministration(depth - 1, fc.constant('')), 2).map(
    (inside) => `internalId administration { ${inside} }`,
  );
}

function debtor(depth: number): fc.Arbitrary<string> {
  return fc.oneof(fc.constant('name'), fc.constant('vatNumber'), withAdministration(depth));
}

function deletedCase(depth: number): fc.Arbitrary<string> {
  return debtor(depth).map((selection) => `debtor { ${selection} }`);
}

const prefix = administration.map((id) => `administrationId: "${id}", `);

const node = fc
  .tuple(
    fc.array(fc.constantFrom(...globalIds), { minLength: 1, maxLength: 30 }),
    debtor(1),
    withAdministration(1),
  )
  .map(
    ([ids, onDebtor, onLine]) =>
      `nodes(ids: ${JSON.stringify(ids)}) { id ... on Debtor { ${onDebtor} } ... on DeclarationLine { ${onLine} } ` +
      '... on Administration { debtors(first: 1) { nodes { name } } } }',
  );

/** Few values, so that lists are parts of others and equal to lookups, in whichever order and however often. */
const values = (count: number, start: number) => times(count, (index) => String(start + index));
const sharing = fc
  .record({
    rows: fc.constantFrom(1, 2, 3, 500, 700),
    filter: fc.constantFrom('ids', 'debtorNumbers', 'debtorIdentifiers'),
    count: fc.constantFrom(1, 2, 3, 100, 500, 600),
    start: fc.constantFrom(300_001, 300_002, 300_501),
    isReversed: fc.boolean(),
    isDoubled: fc.boolean(),
    after: fc.constantFrom(undefined, null, 0, 1),
  })
  .map(({ rows, filter, count, start, isReversed, isDoubled, after }) => {
    const once = isReversed ? values(count, start).reverse() : values(count, start);
    const cursor = after === undefined ? '' : `, after: "${encodeCursor({ part: after, cursor: '300001' })}"`;
    return `first: ${rows}${cursor}, ${filter}: ${JSON.stringify(isDoubled ? [...once, ...once] : once)}`;
  });
const sharingInside = fc.oneof(
  sharing.map((args) => `debtors(${args}) { __typename }`),
  fc.constant('debtors { __typename }'),
  fc
    .tuple(fc.constantFrom('id', 'debtorNumber', 'debtorIdentifier'), fc.constantFrom(...values(3, 300_001)))
    .map(([key, value]) => `debtor(by: { ${key}: "${value}" }) { name }`),
);
const sharingField = fc.oneof(
  fc.tuple(administration, sharingInside).map(([id, text]) => `administration(id: "${id}") { a0: ${text} }`),
  fc.tuple(prefix, sharing).map(([text, args]) => `debtors(${text}${args}) { __typename }`),
  fc
    .tuple(fc.constantFrom(1, 3, 500, 600), fc.constantFrom(300_001, 300_101))
    .map(([count, start]) =>
      values(count, start).map((id) =>
        encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id }),
      ),
    )
    .map((ids) => `nodes(ids: ${JSON.stringify(ids)}) { id }`),
  sharingInside.map(
    (text) => `nodes(ids: ${JSON.stringify(globalIds.slice(-2))}) { ... on Administration { a0: ${text} } }`,
  ),
);

const query = sideBySide(
  fc.oneof(
    inAdministration(2, prefix),
    node,
    fc
      .tuple(administration, sideBySide(inAdministration(1, fc.constant(''))))
      .map(([id, inside]) => `administration(id: "${id}") { ${inside} }`),
    sideBySide(inAdministration(1, fc.constant(''))).map(
      (inside) => `viewer { administrations { internalId ${inside} } }`,
    ),
    sharingField,
    sharingField,
  ),
  4,
).map((fields) => `{ ${fields} }`);

const mutation = sideBySide(
  fc
    .tuple(fc.constantFrom(...own(tasks).slice(0, 20)), debtor(1))
    .map(
      ([{ id, administration_id }, selection]) =>
        `unmarkTaskCompleted(input: { taskId: "${id}", administrationId: "${administration_id}" }) ` +
        `{ task { internalId debtor { ${selection} } } }`,
    ),
).map((fields) => `mutation { ${fields} }`);

describe('the estimate', () => {
  test('is never too low, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: query }, { weight: 1, arbitrary: mutation }),
        async (text) => {
          // Names of their own, so that fields of two types do not have to agree.
          let count = 0;
          const source = text.replace(/\ba\d+:/g, () => `b${count++}:`);
          const answer = await gateway.query(source, {}, EXPLAINED);
          // A cursor may be of a part that its list has not.
          const codes = codesOf(answer).filter((code) => code !== 'BAD_USER_INPUT');
          expect(codes.filter((code) => code !== 'OPERATION_TOO_EXPENSIVE')).toEqual([]);
          const { calls, estimatedCalls } = costOf(answer);
          expect(calls).toBe(gateway.rest.calls.splice(0).length);
          expect(calls).toBeLessThanOrEqual(estimatedCalls);
        },
      ),
      { numRuns: casesOf({ short: 16, long: 3_000 }) },
    );
  });

  const ids = (count: number) => JSON.stringify(globalIds.slice(0, count));
  test.each([
    [
      'debtors of a list each with their administration',
      '{ debtors(administrationId: "1001", first: 3) { nodes { administration { debtors(first: 2) { nodes { name } } } } } }',
      2,
    ],
    [
      'the same list three levels deep',
      '{ debtors(administrationId: "1001", first: 2) { nodes { administration { debtors(first: 2) { nodes { administration { debtors(first: 2) { nodes { name } } } } } } } } }',
      3,
    ],
    [
      'a record by id beside the same as a node',
      `{ debtor(administrationId: "1001", by: { id: "300001" }) { name } node(id: "${encodeGlobalId({ type: 'Debtor', administration: '1001', id: '300001' })}") { id } }`,
      1,
    ],
    [
      'a list with a filter that is null beside the same without',
      '{ a: debtors(administrationId: "1001", updatedAfter: null) { nodes { name } } b: debtors(administrationId: "1001") { nodes { name } } }',
      1,
    ],
    [
      'a long list of few ids',
      '{ debtors(administrationId: "1001", ids: ["300001", "300002"], first: 5000) { nodes { name } } }',
      1,
    ],
    [
      'the same list below records of two types, which come from two calls',
      `{ nodes(ids: ${JSON.stringify([globalIds[0], globalIds[someDebtors.length]])}) {
        ... on Debtor { administration { debtors(first: 2) { nodes { name } } } }
        ... on DeclarationLine { administration { debtors(first: 2) { nodes { name } } } }
      } }`,
      4,
    ],
    [
      'the same list below two administrations by their ids',
      `{ ${globalIds
        .slice(-2)
        .map(
          (id, index) =>
            `a${index}: node(id: "${id}") { ... on Administration { debtors(first: 2) { nodes { name } } } }`,
        )
        .join(' ')} }`,
      2,
    ],
    ['a hundred short keys', `{ nodes(ids: ${ids(100)}) { id } }`, 2],
  ])('is what is needed for %s', async (_what, source, calls) => {
    const answer = await gateway.query(source, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: calls });
    expect(gateway.rest.calls.length).toBeLessThanOrEqual(calls);
  });
});

describe('below the administrations of a token', () => {
  const lists = 'administrations { internalId debtors(first: 1) { nodes { internalId } } }';
  const token = BEARER.authorization.slice('Bearer '.length);
  const asked = [
    ['viewer', `{ viewer { ${lists} } }`],
    ['introspectToken', `mutation { introspectToken(input: { token: "${token}" }) { ${lists} } }`],
  ] as const;
  const reaching = (count: number) => ({
    kind: 'rewrite' as const,
    match: { path: '/oauth/introspect' },
    rewrite: (body: unknown) =>
      Object.assign(Object(body), {
        administrations: Array.from({ length: count }, (_, index) => ({
          id: String(1001 + index),
          name: 'Books',
        })),
      }),
  });

  test.each(asked)('the estimate is as many calls as may be made at all: %s', async (_what, source) => {
    const answer = await gateway.query(source, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 1000, calls: 4 });
    expect(gateway.rest.calls).toHaveLength(4);
  });

  test('the estimate is the same where the token was introspected before', async () => {
    const cached = await freshGateway({ gateway: { cacheTtlMs: 60_000 } });
    const [[, source]] = asked;
    const costs = [];
    for (const _ of times(2, () => 0))
      costs.push((await cached.query(source, {}, EXPLAINED)).extensions.cost);
    expect(costs).toMatchObject([
      { estimatedCalls: 50, calls: 4 },
      { estimatedCalls: 50, calls: 0 },
    ]);
  });

  test('forty of them are given where nothing is read for each', async () => {
    gateway.rest.misbehave(reaching(40));
    const answer = await gateway.query('{ viewer { administrations { internalId name } } }', {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(answer.data).toMatchObject({ viewer: { administrations: { length: 40 } } });
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 1, calls: 1 });
  });
});

describe('joins by ids of any length', () => {
  const UUID = 36;
  test.each([6, UUID, 43, 63, 64, 65, 200, 900])('need no second try: %i bytes', async (length) => {
    const fresh = await freshGateway({ gateway: { maxCalls: 1_000 } });
    fresh.rest.misbehave(
      changeRows((rows) =>
        rows.map((row, index) => ({ ...row, debtor_id: String(index).padStart(length, '0') })),
      ),
    );
    const fields = 'name vatNumber remark updatedAt postalAddress { city street1 } labels { name }';
    const source = `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 100) { nodes { debtor { ${fields} } } } }`;
    const answer = await fresh.query(source, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    const { calls, estimatedCalls } = { calls: 0, estimatedCalls: 0, ...answer.extensions.cost };
    expect(estimatedCalls).toBe(5);
    if (length <= 64) expect(calls).toBeLessThanOrEqual(estimatedCalls);
  });

  test.each([9, 40, 60, 200, 900])('one of %i bytes among short ones', async (length) => {
    const fresh = await freshGateway();
    fresh.rest.misbehave(
      changeRows((rows) =>
        rows.map((row, index) => ({ ...row, debtor_id: index === 3 ? 'x'.repeat(length) : '1' })),
      ),
    );
    const source = `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 10) { nodes { debtor { name } } } }`;
    const answer = await fresh.query(source, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 2, calls: 2 });
  });
});

describe('an operation that is estimated at MAX_CALLS', () => {
  const writes = (count: number, selection: string) =>
    Array.from(
      { length: count },
      (_, index) =>
        `w${index}: unmarkTaskCompleted(input: { taskId: "${present(someTasks[index % 20]).id}" }) { task { ${selection} } }`,
    ).join(' ');

  test.each([
    ['a list below a task', 'task { debtor { administration { debtors(ids: []) { nodes { name } } } } }'],
    [
      'several',
      'task { debtor { administration { a: debtors(ids: []) { nodes { name } } b: declarationLines(ids: []) { nodes { id } } } } }',
    ],
  ])(
    'is refused before its first write beyond that, though a list of no ids costs nothing: %s',
    async (_what, empty) => {
      const source = `mutation { z: unmarkTaskCompleted(input: { taskId: "400001" }) { ${empty} } ${writes(60, 'internalId')} }`;
      const answer = await limited.query(source);
      expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
      expect(limited.rest.calls).toEqual([]);
    },
  );

  test('is refused beside lists of no ids, wherever they stand', async () => {
    const lookups = Array.from(
      { length: 51 },
      (_, index) => `d${index}: debtor(administrationId: "${index}", by: { id: "1" }) { name }`,
    ).join(' ');
    for (const source of [
      `{ e: debtors(administrationId: "1", ids: []) { nodes { name } } ${lookups} }`,
      `{ ${lookups} e: debtors(administrationId: "1", ids: []) { nodes { name } } }`,
    ]) {
      expect(codesOf(await limited.query(source))).toEqual(['OPERATION_TOO_EXPENSIVE']);
    }
    expect(limited.rest.calls).toEqual([]);
  });

  test('makes all its writes, though reads between them fail and are tried again', async () => {
    limited.rest.misbehave({ kind: 'status', status: 503, match: { method: 'GET' }, times: 6 });
    const answer = await limited.query(
      `mutation { ${writes(24, 'internalId debtor { name }')} }`,
      {},
      EXPLAINED,
    );
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 48 });
    const calls = limited.calls();
    expect(calls.filter(({ call }) => call.startsWith('PATCH'))).toHaveLength(24);
    expect(calls.length).toBeLessThanOrEqual(50);
    expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
  });
});

describe('lookups by numbers that debtors share', () => {
  test.each([
    [21, 30],
    [3, 600],
    [1, 1_100],
    [40, 5],
  ])('are never more than estimated: %i numbers of %i debtors each', async (numbers, sharing) => {
    const data = createData({
      administrations: 1,
      debtors: numbers * sharing,
      cases: 0,
      idLength: 1,
      sharing,
    });
    const fresh = await freshGateway({ rest: { data } });
    for (const unknown of [0, 1]) {
      const fields = times(
        numbers + unknown,
        (index) => `n${index}: debtor(administrationId: "1001", by: { debtorNumber: "D${index}" }) { name }`,
      );
      const answer = await fresh.query(`{ ${fields.join(' ')} }`, {}, EXPLAINED);
      expect(codesOf(answer)).toEqual([]);
      expect(Object.values(answer.data ?? {}).filter(Boolean)).toHaveLength(numbers);
      const { calls, estimatedCalls } = { calls: 0, estimatedCalls: 0, ...answer.extensions.cost };
      expect(calls).toBeLessThanOrEqual(estimatedCalls);
    }
  });
});
