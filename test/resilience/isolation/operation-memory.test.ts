import { describe, expect, test } from 'vitest';
import { longLivedBytes, type MemoryLimits, memoryLimits } from '../../../src/limits/memory-limits.ts';
import { isObject } from '../../../src/rest/json.ts';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, freshGateway, OTHER_BEARER, type TestGateway } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { changeRows } from '../../support/rest-pages.ts';
import { times } from '../../support/times.ts';

const OTHER_DEBTORS = DEBTORS.replace('1001', '2001');
const CASES = '{ deletedCreditCases(administrationId: "1001", first: 2) { nodes { debtor { name } } } }';
const limits = (some: Partial<MemoryLimits>): MemoryLimits => ({ ...memoryLimits(), ...some });

/** Rows of which one field that is always read is that long. */
const longRows = (bytes: number, member: string) =>
  changeRows((rows) => rows.map((row) => ({ ...row, [member]: 'x'.repeat(bytes) })));

/** An answer with so much that nobody asked for. */
const padded = (bytes: number) => (body: unknown) =>
  isObject(body) ? { ...body, padding: 'x'.repeat(bytes) } : body;

/** Both companies are known, so that each is an owner of its own. */
async function introduce(gateway: TestGateway): Promise<void> {
  await gateway.query(DEBTORS, {}, BEARER);
  await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER);
  gateway.rest.calls.length = 0;
}

describe('what operations under way hold together', () => {
  test('is bounded: the newest of the caller that holds most is refused, and others are served', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_500_000 }) } });
    await introduce(gateway);
    gateway.rest.misbehave({
      ...longRows(400_000, 'deleted_at'),
      match: { path: '/v1/credit_cases/deleted' },
    });
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 500, match: { path: '/v1/debtors' } });
    const older = gateway.query(CASES);
    await eventually(() => expect(gateway.rest.calls).toHaveLength(2));

    gateway.rest.misbehave(longRows(300_000, 'name'));
    const newer = await gateway.query(debtors(1));
    expect([newer.status, codesOf(newer)]).toEqual([503, ['OVERLOADED']]);
    expect(newer.errors?.[0]?.extensions.retryAfter).toBe(1);
    expect(codesOf(await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER))).toEqual([]);
    expect(codesOf(await older)).toEqual([]);
  });

  test('is only what was asked for, whatever the service sends', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_500_000 }) } });
    gateway.rest.misbehave({ ...longRows(10_000, 'unasked'), times: 20 });
    const all = '{ debtors(administrationId: "1001", first: 1000) { nodes { internalId } } }';
    expect(codesOf(await gateway.query(all))).toEqual([]);
  });

  test('is given back when they end, however they end', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_500_000 }) } });
    gateway.rest.misbehave({ ...longRows(40_000, 'name'), times: 20 });
    for (const index of times(10, (number) => number)) {
      expect(codesOf(await gateway.query(debtors(index)))).toEqual([]);
      await gateway.query(
        `{ debtors(administrationId: "1001", first: ${index + 1}) { nodes { nonsense } } }`,
      );
    }
  });

  test('counts what a request brings: its variables, and a document that is new', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 180_000 }) } });
    const ids = JSON.stringify(times(9_000, () => 'x'));
    const large = await gateway.post(
      `{"query":"query ($i: [ID!]!) { nodes(ids: $i) { id } }","variables":{"i":${ids}}}`,
    );
    expect([large.status, codesOf(await large.json())]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    const document = `{ ${times(190, (index) => `a${index}: node(id: "x") { id __typename }`).join(' ')} }`;
    expect(codesOf(await gateway.query(document))).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  });

  test('counts a document that was known before, once for all who use it', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_000_000 }) } });
    await introduce(gateway);
    const padding = times(190, (index) => `a${index}: __typename`).join(' ');
    const document = (number: number) =>
      `query A { debtors(administrationId: "1001", first: ${number}) { nodes { name } } } query P { __typename } query Q { ${padding} }`;
    const ask = async (number: number, operationName: string) => {
      const body = JSON.stringify({ query: document(number), operationName });
      return codesOf(await (await gateway.post(body, BEARER)).json());
    };
    for (const number of times(5, (index) => index + 1)) expect(await ask(number, 'P')).toEqual([]);
    const delay = { kind: 'delay', milliseconds: 300 } as const;
    gateway.rest.misbehave({ ...delay, times: 5 });
    const distinct = await Promise.all(times(5, (index) => ask(index + 1, 'A')));
    expect(distinct.flat()).toContain('OVERLOADED');
    gateway.rest.misbehave({ ...delay, times: 5 });
    const same = await Promise.all(times(5, () => ask(1, 'A')));
    expect(same.flat()).toEqual([]);
  });

  test('counts the plans of a document, of which its conditions make many', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_500_000 }) } });
    await introduce(gateway);
    const names = times(4, (index) => `v${index}`);
    const conditions = names.map((name) => `${name}: name @include(if: $${name})`);
    const document = `query (${names.map((name) => `$${name}: Boolean!`)}) {
      debtors(administrationId: "1001", first: 1) { nodes { ${conditions} ${times(180, (index) => `a${index}: remark`).join(' ')} } }
    }`;
    const ask = async (bits: number) => {
      const variables = Object.fromEntries(names.map((name, index) => [name, ((bits >> index) & 1) === 1]));
      return codesOf(await gateway.query(document, variables));
    };
    const delay = { kind: 'delay', milliseconds: 300, times: 16 } as const;
    gateway.rest.misbehave(delay);
    expect((await Promise.all(times(16, () => ask(1)))).flat()).toEqual([]);
    gateway.rest.misbehave(delay);
    expect((await Promise.all(times(16, ask))).flat()).toContain('OVERLOADED');
  });

  test('counts what is made of arguments, of which each field that uses a variable makes its own', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_200_000 }) } });
    const where = { or: times(40, (index) => ({ name: { contains: `a${index}` } })) };
    const ask = async (count: number) => {
      const lists = times(
        count,
        (index) =>
          `a${index}: debtors(administrationId: "1003", where: $where, first: ${index + 1}) { nodes { name } }`,
      );
      return codesOf(await gateway.query(`query ($where: DebtorWhere) { ${lists.join(' ')} }`, { where }));
    };
    expect(await ask(2)).toEqual([]);
    gateway.rest.calls.length = 0;
    expect(await ask(40)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls).toEqual([]);
  });

  test('counts an answer as it is written, which may be many times what was read', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 2_500_000 }) } });
    const longNames = changeRows((rows) => rows.map((row) => ({ ...row, name: 'x'.repeat(500) })));
    gateway.rest.misbehave({ ...longNames, times: 2 });
    const aliases = (count: number) => times(count, (index) => `a${index}: name`).join(' ');
    const query = (count: number) =>
      `{ debtors(administrationId: "1001", first: 100) { nodes { ${aliases(count)} } } }`;
    const short = await gateway.query(query(10));
    expect([short.text.length > 500_000, codesOf(short)]).toEqual([true, []]);
    expect(codesOf(await gateway.query(query(100)))).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  });

  test('counts texts that are made for an answer, such as ids', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_500_000 }) } });
    const query = (field: string) =>
      `{ debtors(administrationId: "1001", first: 100) { nodes { ${times(100, (index) => `a${index}: ${field}`).join(' ')} } } }`;
    expect(codesOf(await gateway.query(query('internalId')))).toEqual([]);
    expect(codesOf(await gateway.query(query('id')))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  });

  test('counts errors, which take more than the rows that they are about', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 500_000 }) } });
    const rows = '{ debtors(administrationId: "1001", first: 400) { nodes { internalId remark } } }';
    expect(codesOf(await gateway.query(rows))).toEqual([]);
    gateway.rest.misbehave(changeRows((all) => all.map((row) => ({ ...row, remark: 5 }))));
    expect(codesOf(await gateway.query(rows))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  });

  test('counts rows, however short they are', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 400_000 }) } });
    const totals = '{ debtors(administrationId: "1001") { totals { count } } }';
    expect(codesOf(await gateway.query(totals))).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(codesOf(await gateway.query(totals.replace('1001', '1003')))).toEqual([]);
  });

  test('counts the totals of groups, however many digits they have', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 4_500_000 }) } });
    const groups =
      '{ debtors(administrationId: "1001") { groups(by: DEBTOR_NUMBER, first: 3000) { totals { count bookOpenAmount { sum average } } } } }';
    expect(codesOf(await gateway.query(groups))).toEqual([]);
    const longAmounts = changeRows((rows) =>
      rows.map((row) => ({ ...row, book_open_amount: '9'.repeat(400) })),
    );
    gateway.rest.misbehave({ ...longAmounts, times: 5 });
    expect(codesOf(await gateway.query(groups))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  });

  test('leaves out long answers of writes where there is no room, and tells that they were made', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 4_000_000 }) } });
    const tasks = gateway.rest.data.tasks.filter((task) => task.administration_id === '1001').slice(0, 8);
    gateway.rest.misbehave({
      kind: 'rewrite',
      rewrite: (body) =>
        isObject(body)
          ? {
              ...body,
              comments: ['1', '2'].map((id) => ({
                id,
                content: 'x'.repeat(700_000),
                created_at: body.created_at,
              })),
            }
          : body,
      times: tasks.length - 1,
    });
    const fields = tasks.map(
      ({ id }, index) =>
        `m${index}: unmarkTaskCompleted(input: { taskId: "${id}", administrationId: "1001" }) { task { internalId comments { content } } }`,
    );
    const { data, errors = [] } = await gateway.query(`mutation { ${fields.join(' ')} }`);
    expect(gateway.rest.calls).toHaveLength(tasks.length);
    const told = Object.entries(Object(data)).filter(([, value]) => value !== null);
    const names = told.map(([key]) => key);
    // The last has a short answer, for which there is room.
    expect(names.at(-1)).toBe('m7');
    expect(names.length).toBeLessThan(5);
    expect(errors).toHaveLength(tasks.length - names.length);
    for (const { message, extensions } of errors)
      expect([message, extensions.code]).toEqual([
        'Too much is being read at once. The write was made: do not send it again.',
        'OPERATION_TOO_EXPENSIVE',
      ]);
  });

  test('keeps a mutation from writing on, and the answers that it has are told', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_000_000 }) } });
    const tasks = gateway.rest.data.tasks.filter((task) => task.administration_id === '1001').slice(0, 20);
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: padded(300_000), times: tasks.length });
    const fields = tasks.map(
      ({ id }, index) =>
        `m${index}: unmarkTaskCompleted(input: { taskId: "${id}", administrationId: "1001" }) { task { internalId } }`,
    );
    const { data, errors = [] } = await gateway.query(`mutation { ${fields.join(' ')} }`);
    const made = Object.values(Object(data)).filter((value) => value !== null);
    // What was refused was not sent.
    expect(made).toHaveLength(gateway.rest.calls.length);
    expect(made.length).toBeLessThan(6);
    expect(codesOf({ errors })).toEqual(times(tasks.length - made.length, () => 'OVERLOADED'));
  });

  test('keeps the mutations of an array from writing on, each by itself', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_000_000 }) } });
    const tasks = gateway.rest.data.tasks.filter((task) => task.administration_id === '1001').slice(0, 12);
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: padded(200_000), times: tasks.length });
    const mutationOf = (own: typeof tasks) => ({
      query: `mutation { ${own.map(
        ({ id }, index) =>
          `m${index}: unmarkTaskCompleted(input: { taskId: "${id}", administrationId: "1001" }) { task { internalId } }`,
      )} }`,
    });
    const body = JSON.stringify([mutationOf(tasks.slice(0, 6)), mutationOf(tasks.slice(6))]);
    const results: readonly { readonly data: unknown; readonly errors?: readonly object[] }[] = await (
      await gateway.post(body, BEARER)
    ).json();
    const told = results.flatMap(({ data }) => Object.values(Object(data)).filter((value) => value !== null));
    const refused = results.flatMap(({ errors = [] }) => errors);
    // What was made is told, and what was refused was not sent.
    expect(told).toHaveLength(gateway.rest.calls.length);
    expect(told.length + refused.length).toBe(tasks.length);
    expect(refused.length).toBeGreaterThan(0);
  });

  test('keeps a mutation from reading on, and what it has written is told', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 400_000 }) } });
    const task = gateway.rest.data.tasks.find((one) => one.administration_id === '1001' && one.debtor_id);
    const { data, errors = [] } = await gateway.query(
      `mutation { unmarkTaskCompleted(input: { taskId: "${task?.id}", administrationId: "1001" }) {
        task { internalId debtor { administration { debtors(among: 10000) { totals { count } } } } }
      } }`,
    );
    expect(codesOf({ errors })).toEqual(['OVERLOADED']);
    expect(data).toMatchObject({ unmarkTaskCompleted: { task: { internalId: task?.id } } });
    expect(gateway.rest.calls.length).toBeLessThan(7);
  });

  test('ends the answer to a mutation that takes too much, and tells that it was made', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 1_000_000 }) } });
    const ids = (count: number) => times(count, (index) => `a${index}: id`).join(' ');
    const write = (...counts: readonly number[]) => {
      const fields = counts.map(
        (count, index) => `f${index}: unmarkTaskCompleted(input: { taskId: "400001" }) {
          task { internalId debtor { administration { debtors(first: 100) { nodes { ${ids(count)} } } } } } }`,
      );
      return gateway.query(`mutation { ${fields.join(' ')} }`);
    };
    expect(codesOf(await write(5))).toEqual([]);
    const answer = await write(20, 80, 1);
    const task = { task: { internalId: '400001' } };
    expect(answer.data).toMatchObject({ f0: task, f1: null, f2: task });
    expect(codesOf(answer)).toContain('OPERATION_TOO_EXPENSIVE');
    expect(answer.text).toContain('do not send it again');
  });

  test('counts pages that arrive together in a mutation', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 2_500_000 }) } });
    const task = gateway.rest.data.tasks.find((one) => one.administration_id === '1001' && one.debtor_id);
    const debtorIds = gateway.rest.data.debtors
      .filter((one) => one.administration_id === '1001')
      .map(({ id }) => id);
    const lists = times(8, (index) => {
      const ids = JSON.stringify(debtorIds.slice(50 * index, 50 * (index + 1)));
      return `a${index}: debtors(ids: ${ids}) { nodes { name } }`;
    });
    gateway.rest.misbehave({ ...longRows(20_000, 'name'), match: { path: '/v1/debtors' }, times: 10 });
    const { data, errors = [] } = await gateway.query(
      `mutation { unmarkTaskCompleted(input: { taskId: "${task?.id}", administrationId: "1001" }) {
        task { debtor { administration { ${lists.join(' ')} } } }
      } }`,
    );
    expect(new Set(codesOf({ errors }))).toEqual(new Set(['OVERLOADED']));
    expect(errors.length).toBeGreaterThan(4);
    expect(JSON.stringify(data).length).toBeGreaterThan(1_000_000);
  });

  test('does not cut a write in half', async () => {
    const gateway = await freshGateway({ gateway: { memory: limits({ operationBytes: 100_000 }) } });
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: padded(300_000) });
    const { id, administration_id } = gateway.rest.data.tasks[0] ?? { id: '', administration_id: '' };
    const answer = await gateway.query(
      `mutation { unmarkTaskCompleted(input: { taskId: "${id}", administrationId: "${administration_id}" }) { task { internalId } } }`,
    );
    expect([codesOf(answer), answer.data]).toEqual([
      [],
      { unmarkTaskCompleted: { task: { internalId: id } } },
    ]);
  });
});

test('answers of the REST service that are arriving are bounded together', async () => {
  const gateway = await freshGateway({ gateway: { memory: limits({ restBytes: 300_000 }) } });
  await introduce(gateway);
  gateway.rest.misbehave({ kind: 'rewrite', rewrite: padded(2_000_000) });
  const large = await gateway.query(DEBTORS);
  expect(codesOf(large)).toEqual(['OVERLOADED']);
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
});

test('the limits are parts of what --max-old-space-size gives, without the space for new objects', () => {
  expect(longLivedBytes(['--max-old-space-size=900', '--max_old_space_size=512', '--x'])).toBe(512_000_000);
  expect(longLivedBytes(['--max-semi-space-size=64'])).toBeGreaterThan(500_000_000);
});

test('all limits together fit into the heap, whatever its size', () => {
  for (const heap of [128e6, 512e6, 4_000e6]) {
    const { operationBytes, unsentBytes, cacheBytes } = memoryLimits(heap);
    // A byte of a REST answer takes up to three of the heap while an operation works with it, and two in the cache.
    expect(3 * operationBytes + unsentBytes + 2 * cacheBytes).toBeLessThan(0.9 * heap);
  }
});
