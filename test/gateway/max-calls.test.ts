import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import {
  type Answer,
  BEARER,
  BOTH,
  EXPLAIN,
  freshGateway,
  startGateway,
  type TestGateway,
  type TestOptions,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { createData, type WorldSize } from '../support/rest-world.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';

const SMALL: WorldSize = { administrations: 1, debtors: 40, cases: 40, idLength: 6, sharing: 1 };
const inWorld = (size: Partial<WorldSize>, gateway: TestOptions['gateway'] = {}): TestOptions => ({
  rest: { data: createData({ ...SMALL, ...size }) },
  gateway,
});

const token = BEARER.authorization.slice('Bearer '.length);
const LISTS = 'administrations { internalId debtors(first: 1) { nodes { internalId } } }';
const CASES =
  '{ deletedCreditCases(administrationId: "1001", first: 40) { nodes { debtor { internalId name } } } }';

function callsOf({ extensions }: Answer<unknown>) {
  return { calls: 0, estimatedCalls: 0, ...extensions.cost };
}

const EXPLAINED = { ...BOTH, ...EXPLAIN };

describe('what is known only as an operation runs needs no second try', () => {
  test.each([0, 6, 49])('lists of %i administrations, the first time', async (administrations) => {
    const gateway = await freshGateway(inWorld({ administrations }));
    const answer = await gateway.query(`{ viewer { ${LISTS} } }`, {}, BOTH);
    expect(codesOf(answer)).toEqual([]);
    expect(callsOf(answer)).toEqual(expect.objectContaining({ calls: 1 + administrations }));
    expect(answer.data).toEqual({
      viewer: {
        administrations: times(administrations, (index) => ({
          internalId: String(1001 + index),
          debtors: { nodes: [{ internalId: `xx${1001 + index}0`.slice(-6) }] },
        })),
      },
    });
  });

  test('joins by ids of every length', async () => {
    for (const idLength of [36, 120, 400, 1000]) {
      const gateway = await startGateway(inWorld({ idLength }));
      const answer = await gateway.query(CASES);
      await gateway.close();
      expect(codesOf(answer)).toEqual([]);
      expect(JSON.stringify(answer.data).match(/"name":"Debtor/g)).toHaveLength(40);
    }
  });

  test('a retry, though the operation was estimated to need every call that it may make', async () => {
    const gateway = await freshGateway(inWorld({}, { maxCalls: 3 }));
    gateway.rest.misbehave({ kind: 'status', status: 503, match: { path: '/v1/credit_cases/deleted' } });
    const answer = await gateway.query(CASES, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(callsOf(answer)).toMatchObject({ estimatedCalls: 3, calls: 3 });
  });
});

test('retries, and pages that are shorter than asked for, stay within MAX_CALLS together', async () => {
  const gateway = await freshGateway(inWorld({}, { maxCalls: 4 }));
  const shortPage = changePage(({ data: [row] }) => ({
    data: [row],
    pagination: { cursor: Reflect.get(Object(row), 'id') },
  }));
  gateway.rest.misbehave({ kind: 'status', status: 503 });
  gateway.rest.misbehave({ ...shortPage, times: 10 });
  const answer = await gateway.query('{ debtors(administrationId: "1001", first: 40) { nodes { name } } }');
  expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(callsOf(answer).calls).toBe(4);
  expect(gateway.rest.calls).toHaveLength(4);
});

describe('a query that may need more calls than are allowed', () => {
  const DASHBOARD = `{
    viewer {
      administrations {
        internalId
        debtors(first: 10000) { edges { node { name postalAddress { city } labels { name } } } }
        declarationLines(first: 10000) { nodes { amount } }
        deletedCreditCases(first: 10000) { nodes { debtor { name } } }
        deletedPayments(first: 10000) { nodes { internalId } }
        more: debtors(first: 10000, updatedAfter: "2020-01-01T00:00:00Z") { edges { node { name } } }
      }
    }
  }`;

  test('is run: a dashboard over eight administrations', async () => {
    const gateway = await freshGateway(inWorld({ administrations: 8 }));
    const answer = await gateway.query(DASHBOARD, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    // Of each administration five lists, and the debtors of its cases.
    expect(callsOf(answer)).toMatchObject({ estimatedCalls: 446, calls: 1 + 8 * 6 });
    expect(JSON.stringify(answer.data).match(/"name":"Debtor/g)).toHaveLength(8 * 40 * 3);
  });

  const LONG = inWorld({ debtors: 1_300 }, { maxCalls: 4 });
  const list = (key: string, args: string) =>
    `${key}: debtors(administrationId: "1001", ${args}) { nodes { internalId } pageInfo { hasNextPage } }`;

  test('has errors where the calls do not suffice, which say how far a list came, and all else', async () => {
    const gateway = await freshGateway(LONG);
    const source = `{ ${list('a', 'first: 10000')}
      b: declarationLines(administrationId: "1001") { nodes { id } }
      ${list('c', 'first: 10000, updatedAfter: "2020-01-01T00:00:00Z"')} }`;
    const answer = await gateway.query(source, {}, EXPLAINED);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ b: { nodes: [] } });
    expect(callsOf(answer)).toMatchObject({ estimatedCalls: 41, calls: 4 });
    expect(gateway.rest.calls).toHaveLength(4);
    expect(answer.extensions.explain).toMatchObject(times(4, () => ({ source: 'network', status: 200 })));
    // The first that has read its first page gets the last call.
    expect(answer.errors?.map(({ extensions }) => extensions.rows).sort()).toEqual([1000, 500]);
    for (const { message, path, extensions } of answer.errors ?? []) {
      expect(extensions.code).toBe('OPERATION_TOO_EXPENSIVE');
      expect(message).toBe(
        `4 of the 4 REST calls that an operation may make are used. Rows of this list read before: ${extensions.rows}. ` +
          'Ask for fewer rows or fewer lists, or raise MAX_CALLS.',
      );
      expect(answer.data).toMatchObject({ [String(path?.[0])]: null });
    }
  });

  test('gives the rows of a short list that shares the calls of a long one', async () => {
    const gateway = await freshGateway(inWorld({ debtors: 1_300 }, { maxCalls: 2 }));
    const answer = await gateway.query(`{ ${list('short', 'first: 700')} ${list('long', 'first: 5000')} }`);
    expect(answer.errors).toMatchObject([{ path: ['long'], extensions: { rows: 1000 } }]);
    expect(answer.data).toMatchObject({
      short: { nodes: { length: 700 }, pageInfo: { hasNextPage: true } },
      long: null,
    });
    expect(gateway.rest.calls).toHaveLength(2);
  });

  test('is not kept as an answer; its pages are, so that the next one comes further', async () => {
    const gateway = await freshGateway(inWorld({ debtors: 1_300 }, { maxCalls: 2, cacheTtlMs: 60_000 }));
    const source = `{ ${list('long', 'first: 5000')} }`;
    const [first, second, third] = [
      await gateway.query(source),
      await gateway.query(source),
      await gateway.query(source),
    ];
    expect(first.errors).toMatchObject([{ extensions: { rows: 1000 } }]);
    expect(first.data).toEqual({ long: null });
    expect(second.data).toMatchObject({
      long: { nodes: { length: 1_300 }, pageInfo: { hasNextPage: false } },
    });
    expect(callsOf(second)).toMatchObject({ calls: 1, cacheHits: 2 });
    expect(third.data).toEqual(second.data);
    expect(callsOf(third)).toMatchObject({ calls: 0, cacheHits: 3 });
  });

  test('is refused if its root fields alone need them in any case', async () => {
    const gateway = await freshGateway(inWorld({}, { maxCalls: 4 }));
    const lookups = times(5, (id) => `d${id}: debtor(administrationId: "${id}", by: { id: "1" }) { name }`);
    const answer = await gateway.query(`{ ${lookups.join(' ')} }`);
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.message).toBe(
      'The operation needs at least 5 REST calls, and at most 4 are allowed. Ask for fewer lists or records at a time.',
    );
    expect(gateway.rest.calls).toEqual([]);
  });

  test('is run if its root fields share their calls', async () => {
    const gateway = await freshGateway(inWorld({}, { maxCalls: 4 }));
    const lookups = times(
      9,
      (id) => `d${id}: debtor(administrationId: "1001", by: { id: "${id}" }) { name }`,
    );
    expect(codesOf(await gateway.query(`{ ${lookups.join(' ')} }`))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('has an error where ids belong to more administrations than it may make calls', async () => {
    const gateway = await freshGateway(inWorld({}, { maxCalls: 4 }));
    const ids = times(5, (id) => encodeGlobalId({ type: 'Debtor', administration: `${id}`, id: '1' }));
    const answer = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls).toEqual([]);
  });
});

/** What a limited answer has to be: the whole one, with null where it has an error. */
function withNullsAt(data: unknown, { errors = [] }: Answer<unknown>): unknown {
  const copy = structuredClone(data);
  for (const { path = [] } of errors) {
    const last = present(path.at(-1));
    const parent = path.slice(0, -1).reduce((value, key) => Reflect.get(Object(value), key), copy);
    Reflect.set(Object(parent), last, null);
  }
  return copy;
}

const first = fc.integer({ min: 1, max: 60 });
const inAdministration = (depth: number): fc.Arbitrary<string> => {
  const inside = depth > 0 ? inAdministration(depth - 1) : fc.constant('internalId');
  const debtor = fc.oneof(
    fc.constant('internalId name'),
    inside.map((selection) => `internalId administration { ${selection} }`),
  );
  return fc.oneof(
    fc
      .tuple(first, debtor)
      .map(([count, selection]) => `debtors(first: ${count}) { nodes { ${selection} } }`),
    fc
      .tuple(first, debtor)
      .map(
        ([count, selection]) => `deletedCreditCases(first: ${count}) { nodes { debtor { ${selection} } } }`,
      ),
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), debtor)
      .map(([number, selection]) => `debtor(by: { debtorNumber: "D${number}" }) { ${selection} }`),
  );
};
const query = fc
  .array(
    fc.oneof(
      inAdministration(1).map((inside) => `viewer { administrations { ${inside} } }`),
      fc
        .tuple(fc.integer({ min: 1001, max: 1041 }), inAdministration(1))
        .map(([id, inside]) => `administration(id: "${id}") { ${inside} }`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((fields) => `{ ${fields.map((field, index) => `f${index}: ${field}`).join(' ')} }`);

const world = fc.record<WorldSize>({
  administrations: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 5, max: 40 })),
  debtors: fc.integer({ min: 1, max: 20 }),
  cases: fc.integer({ min: 0, max: 40 }),
  idLength: fc.integer({ min: 1, max: 400 }),
  sharing: fc.integer({ min: 1, max: 5 }),
});
/** Gateways with one changing world and other limits, since starting some for each run would take most of the time. */
const data = createData(SMALL);
const MOST = [3, 10, 50];
const unlimited = await useGateway({ rest: { data }, gateway: { maxCalls: 10_000 } });
const limited = new Map<number, TestGateway>();
for (const maxCalls of MOST)
  limited.set(maxCalls, await useGateway({ rest: { data }, gateway: { maxCalls } }));
const maxCalls = fc.constantFrom(...MOST);

test('an operation fails only when MAX_CALLS are used up, and then only where it needs more', async () => {
  await fc.assert(
    fc.asyncProperty(world, maxCalls, query, async (size, most, source) => {
      Object.assign(data, createData(size));
      const gateway = present(limited.get(most));
      const whole = await unlimited.query(source, {}, EXPLAINED);
      const answer = await gateway.query(source, {}, EXPLAINED);
      const sent = gateway.rest.calls.splice(0).length;
      expect(answer.status).toBe(200);
      const { calls, estimatedCalls } = callsOf(answer);
      expect(calls).toBe(sent);
      expect(calls).toBe(Math.min(callsOf(whole).calls, most));
      // One of the administrations that are asked for by their ids may not be there.
      const limitErrors = (answer.errors ?? []).filter(({ extensions }) => extensions.code !== 'FORBIDDEN');
      expect(limitErrors.length > 0).toBe(callsOf(whole).calls > most);
      for (const { message, extensions } of limitErrors) {
        expect(extensions.code).toBe('OPERATION_TOO_EXPENSIVE');
        expect(message).toContain(`${most} of the ${most} REST calls`);
        // Lists say how far they came.
        if (extensions.rows !== undefined) expect(message).toContain(`read before: ${extensions.rows}.`);
      }
      // An answer lists at most 500 errors.
      if (codesOf(answer).length < 500) expect(answer.data).toEqual(withNullsAt(whole.data, answer));
      if (size.idLength <= 64) expect(calls).toBeLessThanOrEqual(estimatedCalls);
    }),
    { numRuns: casesOf({ short: 5, long: 400 }) },
  );
});

describe('a mutation', () => {
  const introspection = `introspectToken(input: { token: "${token}" }) { ${LISTS} }`;
  const unmark = (task: number, selection: string) =>
    `unmarkTaskCompleted(input: { taskId: "T1001${task}" }) { task { internalId ${selection} } }`;
  const field = fc.oneof(
    fc.constant(introspection),
    fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('', 'debtor { name }'))
      .map(([task, selection]) => unmark(task, selection)),
  );
  const side = (fields: readonly string[]) => fields.map((text, index) => `f${index}: ${text}`).join(' ');

  test('makes all its writes, whatever is read between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        maxCalls,
        fc.array(field, { minLength: 1, maxLength: 5 }),
        async (administrations, most, fields) => {
          Object.assign(data, createData({ ...SMALL, administrations }));
          const gateway = present(limited.get(most));
          const answer = await gateway.query(`mutation { ${side(fields)} }`, {}, BOTH);
          const sent = gateway.rest.calls.splice(0);
          if (answer.status === 400) {
            expect(sent).toEqual([]);
            return;
          }
          expect(callsOf(answer).calls).toBe(sent.length);
          expect(sent.length).toBeLessThanOrEqual(most);
          expect(new Set([...codesOf(answer), 'OPERATION_TOO_EXPENSIVE']).size).toBe(1);
          expect(sent.filter(({ method }) => method !== 'GET')).toHaveLength(fields.length);
          for (const [index, text] of fields.entries()) {
            const written = text.startsWith('unmark')
              ? { task: { internalId: /T1001(\d)/.exec(text)?.[0] } }
              : {};
            expect(answer.data).toMatchObject({ [`f${index}`]: written });
          }
        },
      ),
      { numRuns: casesOf({ short: 5, long: 15 }) },
    );
  });

  test('says that calls are kept for the fields after the one that fails', async () => {
    const gateway = await freshGateway(inWorld({ administrations: 12 }, { maxCalls: 6 }));
    const fields = [introspection, unmark(0, 'debtor { name }')];
    const answer = await gateway.query(`mutation { ${side(fields)} }`, {}, EXPLAINED);
    expect(answer.errors?.[0]?.message).toBe(
      '4 of the 6 REST calls that an operation may make are used, and the others are kept for the fields after ' +
        'this one. Rows of this list read before: 0. Ask for fewer rows or fewer lists, or raise MAX_CALLS.',
    );
    expect(answer.data).toMatchObject({ f1: { task: { debtor: { name: 'Debtor 0 of 1001' } } } });
    expect(callsOf(answer)).toMatchObject({ estimatedCalls: 6, calls: 6 });
  });
});
