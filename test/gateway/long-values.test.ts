import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { decodeGlobalId, encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import { freshGateway, useGateway } from '../support/gateway.ts';
import { times } from '../support/times.ts';

const gateway = await useGateway();
const LONG = 'é'.repeat(150_000);
const CURSOR = Buffer.from(`:${'é'.repeat(100_000)}`).toString('base64url');
const GLOBAL_ID = Buffer.from(JSON.stringify(['Debtor', '1001', LONG.slice(0, 100_000)])).toString(
  'base64url',
);

/** A field that names a long text once. */
const FIELDS: readonly [what: string, field: string, text: string][] = [
  ['ids', 'debtors(administrationId: "1001", ids: [$a]) { nodes { id } }', LONG],
  ['numbers', 'debtors(administrationId: "1001", debtorNumbers: [$a]) { nodes { id } }', LONG],
  ['a number', 'debtor(administrationId: "1001", by: { debtorNumber: $a }) { id }', LONG],
  ['a cursor', 'debtors(administrationId: "1001", after: $a) { nodes { id } }', CURSOR],
  ['a cursor of rows', 'debtors(administrationId: "1001", after: $a) { nodes { id } }', `Og.${CURSOR}`],
  [
    'a cursor of an order',
    'debtors(administrationId: "1001", orderBy: [{ field: NAME }], after: $a) { nodes { id } }',
    CURSOR,
  ],
  ['an administration', 'debtors(administrationId: $a) { nodes { id } }', LONG],
  ['an id of an administration', 'administration(id: $a) { debtors { nodes { id } } }', LONG],
];

describe('a text that is too long for any value', () => {
  const queryOf = (field: string) =>
    `query ($a: ${field.includes('ids') || /[iI]d: \$a/.test(field) ? 'ID' : 'String'}!)`;

  test.each(FIELDS)('is refused before a call, as %s', async (_what, field, text) => {
    const answer = await gateway.query(`${queryOf(field)} { ${field} }`, { a: text });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(gateway.calls()).toEqual([]);
  });

  test('is no global id', async () => {
    const answer = await gateway.query('query ($a: ID!) { node(id: $a) { id } }', { a: GLOBAL_ID });
    expect(answer.data).toEqual({ node: null });
    expect(gateway.calls()).toEqual([]);
  });
});

describe('a write', () => {
  const messages = (count: number) => times(count, () => '{ id: $a, read: true }').join(' ');
  const update = (count: number) =>
    `mutation ($a: ID!) { updateMessages(input: { administrationId: "1001", messages: [${messages(count)}] }) { count } }`;

  test('takes no longer id than a read does', async () => {
    expect(codesOf(await gateway.query(update(1), { a: 'a'.repeat(1_001) }))).toEqual(['BAD_USER_INPUT']);
    expect(gateway.calls()).toEqual([]);
  });
});

test('what looks like a global id and is none is not parsed', () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  for (const text of ['["a', '["a","b","c"', String.raw`["a\q","b","c"]`, '["a\n","b","c"]', '["a","b",1]'])
    expect(decodeGlobalId(encode(text))).toBeNull();
  expect(parse).not.toHaveBeenCalled();
  const id = { type: 'Debtor', administration: '1\n"\\', id: 'é😀\u2028' };
  expect(decodeGlobalId(encodeGlobalId(id))).toEqual(id);
});

describe('a service that gives the same rows behind ever new cursors', () => {
  test.each([1, 2])('is not asked for ever: %i rows in turn', async (turns) => {
    const fresh = await freshGateway({ gateway: { maxCalls: 1_000 } });
    for (const page of times(100, Number)) {
      const row = { id: String(page % turns), administration_id: '1001', name: 'Jansen' };
      const body = JSON.stringify({ data: [row], pagination: { cursor: `cursor ${page}` } });
      fresh.rest.misbehave({ kind: 'body', body, match: { path: '/v1/debtors' } });
    }
    const answer = await fresh.query('{ debtors(administrationId: "1001", first: 500) { nodes { name } } }');
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(fresh.calls()).toHaveLength(turns + 1);
  });
});
