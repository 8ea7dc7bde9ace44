import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { fetchExport, linesIn } from '../export/support.ts';
import { codesOf } from '../support/answers.ts';
import { freshGateway, type TestGateway } from '../support/gateway.ts';
import { times } from '../support/times.ts';

const LIMIT = 200_000;
const REMARK = 'a'.repeat(2_000);

/** A gateway whose answers have at most `LIMIT` bytes, over debtors with a remark each. */
async function gatewayOf(remarkOf = (_row: number) => REMARK, maxAnswerBytes = LIMIT): Promise<TestGateway> {
  const gateway = await freshGateway({ gateway: { maxAnswerBytes } });
  let rows = 0;
  const withRemark = (key: string, value: unknown) => {
    if (key !== 'remark') return value;
    rows += 1;
    return remarkOf(rows);
  };
  gateway.rest.misbehave({
    kind: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    rewrite: (body) => JSON.parse(JSON.stringify(body), withRemark),
  });
  return gateway;
}

/** The longest JSON that is written in one go from now on. */
function longestWritten(): () => number {
  let longest = 0;
  const { stringify } = JSON;
  const spy = vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    longest = Math.max(longest, text?.length ?? 0);
    return text;
  });
  onTestFinished(() => spy.mockRestore());
  return () => longest;
}

const DEBTOR = encodeGlobalId({ type: 'Debtor', administration: '1001', id: '300001' });
const remarks = (count: number) => times(count, (index) => `a${index}: remark`).join(' ');
const lists = (count: number) =>
  times(
    count,
    (index) => `l${index}: debtors(administrationId: "1001", first: 10) { nodes { remark } }`,
  ).join(' ');

/** Each has more than a megabyte of texts, of which the service has sent a few kilobytes. */
const REPEATED: readonly [what: string, query: string][] = [
  ['one record under many ids', `nodes(ids: $ids) { ...on Debtor { remark } }`],
  [
    'one field under many aliases',
    `debtor(administrationId: "1001", by: { id: "300001" }) { ${remarks(190)} }`,
  ],
  ['rows under many aliases', `debtors(administrationId: "1001", first: 20) { nodes { ${remarks(50)} } }`],
  [
    'edges under many aliases',
    `debtors(administrationId: "1001", first: 20) { edges { node { ${remarks(50)} } } }`,
  ],
  ['one list under many aliases', lists(100)],
  [
    'rows that lead to records',
    `deletedCreditCases(administrationId: "1001", first: 50) { nodes { debtor { ${remarks(40)} } } }`,
  ],
  [
    'an ordered list',
    `debtors(administrationId: "1001", first: 20, orderBy: [{ field: NAME }]) { nodes { ${remarks(50)} } }`,
  ],
];

describe('texts count wherever they stand in an answer', () => {
  test.each(REPEATED)('%s', async (what, fields) => {
    const gateway = await gatewayOf();
    const hasIds = what.endsWith('ids');
    const query = `query ${hasIds ? '($ids: [ID!]!)' : ''} { ${fields} }`;
    const variables = hasIds ? { ids: times(1_000, () => DEBTOR) } : {};
    // The second time, the document is known already, and nothing of it counts.
    const longest = longestWritten();
    for (const _again of [1, 2]) {
      const answer = await gateway.query(query, variables);
      expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
      expect(answer.errors?.[0]?.message).toContain(`longer than ${LIMIT} bytes`);
      expect(answer.data).toBeUndefined();
      expect(longest()).toBeLessThan(LIMIT);
    }
  });

  test('up to the limit they are told', async () => {
    const gateway = await gatewayOf();
    const answer = await gateway.query(
      `{ debtor(administrationId: "1001", by: { id: "300001" }) { ${remarks(90)} } }`,
    );
    expect(answer).toMatchObject({ status: 200, data: { debtor: { a0: REMARK, a89: REMARK } } });
  });

  test('in each field of a mutation, and what is short is told', async () => {
    const gateway = await gatewayOf();
    const unmark = (selection: string) =>
      `unmarkTaskCompleted(input: { administrationId: "1001", taskId: "400001" }) { task { ${selection} } }`;
    const longest = longestWritten();
    const answer = await gateway.query(
      `mutation { long: ${unmark(`debtor { ${remarks(190)} }`)} short: ${unmark('internalId')} }`,
    );
    expect(answer.data).toEqual({ long: null, short: { task: { internalId: '400001' } } });
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(longest()).toBeLessThan(LIMIT);
  });
});

test('a record whose texts take six bytes a character is given up after its first parts', async () => {
  const gateway = await gatewayOf(() => '\u0001'.repeat(20_000), 4_000_000);
  const longest = longestWritten();
  const answer = await gateway.query(
    `{ debtor(administrationId: "1001", by: { id: "300001" }) { ${remarks(190)} } }`,
  );
  expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(longest()).toBeLessThan(500_000);
});

test('long rows behind thousands of short ones are written a few at a time', async () => {
  const gateway = await gatewayOf(undefined, 32_000_000);
  const unknown = encodeGlobalId({ type: 'Debtor', administration: '1001', id: '999999999' });
  const ids = [...times(8_191, () => unknown), ...times(1_800, () => DEBTOR)];
  const longest = longestWritten();
  const answer = await gateway.query(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ...on Debtor { remark } } }',
    { ids },
  );
  expect(answer.data).toEqual({
    nodes: [...times(8_191, () => null), ...times(1_800, () => ({ remark: REMARK }))],
  });
  // The variables are longer than any part of the answer.
  expect(longest()).toBeLessThan(1_000_000);
});

describe('a row of an export that is too long', () => {
  const query = `{ debtors(administrationId: "1001", first: 3) { nodes { ${remarks(11)} } } }`;
  const LONG = 'é'.repeat(100_000);

  test('ends it as NDJSON, with where to go on', async () => {
    const gateway = await gatewayOf(() => LONG, 32_000_000);
    const lines = linesIn(await (await fetchExport(gateway, 'ndjson', query)).text());
    expect(lines).toEqual([
      { error: expect.objectContaining({ code: 'OPERATION_TOO_EXPENSIVE' }), after: null, rows: 0 },
    ]);
  });

  test('breaks it off as CSV', async () => {
    const gateway = await gatewayOf(() => LONG, 32_000_000);
    const response = await fetchExport(gateway, 'csv', query);
    await expect(response.text()).rejects.toThrow();
  });

  test('may be the last of a page', async () => {
    const gateway = await gatewayOf((row) => (row === 3 ? LONG : 'short'), 32_000_000);
    const [first, second, end] = linesIn(await (await fetchExport(gateway, 'ndjson', query)).text());
    expect([first, second]).toEqual(times(2, () => expect.objectContaining({ a0: 'short' })));
    expect(end).toMatchObject({
      error: { code: 'OPERATION_TOO_EXPENSIVE' },
      after: expect.any(String),
      rows: 2,
    });
  });
});

test('items of lists count as what they take, before any of them is written', async () => {
  const gateway = await freshGateway({ gateway: { maxAnswerBytes: LIMIT } });
  gateway.rest.misbehave({
    kind: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    rewrite: (body) =>
      JSON.parse(JSON.stringify(body), (key, value) =>
        key === 'claim_response_codes' ? times(1_500, () => '') : value,
      ),
  });
  const codes = times(60, (index) => `a${index}: claimResponseCodes`).join(' ');
  const query = `{ declarationLines(administrationId: "1001", first: 1) { nodes { ${codes} } } }`;
  const longest = longestWritten();
  expect(codesOf(await gateway.query(query))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(longest()).toBeLessThan(100_000);
  const response = await fetchExport(gateway, 'ndjson', query);
  expect(await response.text()).toContain('OPERATION_TOO_EXPENSIVE');
});
