import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { fieldsOf } from '../../src/rest/fields.ts';
import { valueBytes } from '../../src/rest/json.ts';
import { readBody } from '../../src/rest/page-body.ts';
import { defineResource } from '../../src/rest/resource.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  requiredFields: ['id'],
  takesFields: true,
  filters: {},
});
const fields = fieldsOf(['id', 'administration_id', 'name']);
const read = (data: readonly unknown[], pagination?: unknown) =>
  readBody({ body: { data, pagination } }, resource, { fields, administrationId: '1' }, WIRE_TEXT);
const own = { id: 'a', administration_id: '1' };
const FAULT = expect.any(RestError);

test('of a page, the fields that were asked for are kept, and counted', () => {
  const { rows, ...page } = read([{ ...own, name: 'Jansen', secret: 'x' }, { ...own, id: 'b' }, own]);
  expect(rows).toEqual([
    { ...own, name: 'Jansen' },
    { ...own, id: 'b' },
  ]);
  expect(rows[0]).not.toHaveProperty('secret');
  expect(page).toEqual({ bytes: valueBytes(rows) - valueBytes([null, null]) });
});

test('the cursor and the date of a page count too: a service may make them any length', () => {
  const { bytes } = read([own]);
  expect(read([own], { cursor: 'x'.repeat(1_000) }).bytes).toBe(bytes + 1_000);
  const dated = { body: { data: [own] }, date: 'x'.repeat(500) };
  expect(readBody(dated, resource, { fields, administrationId: '1' }, WIRE_TEXT).bytes).toBe(bytes + 500);
});

test.each<[string, unknown, unknown, object]>([
  ['no administration', { id: 'b' }, { id: 'b', administration_id: '1' }, {}],
  ['a null administration', { id: 'b', administration_id: null }, { id: 'b', administration_id: '1' }, {}],
  ['another administration', { id: 'b', administration_id: '2' }, FAULT, { isBroken: true, foreign: FAULT }],
  ['an administration that is a number', { id: 'b', administration_id: 1 }, FAULT, { isBroken: true }],
  ['no id', { administration_id: '1' }, FAULT, { isBroken: true }],
  ['an id that is a number', { id: 7, administration_id: '1' }, FAULT, { isBroken: true }],
  ['null', null, FAULT, { isBroken: true }],
  ['a list', [own], FAULT, { isBroken: true }],
  ['text', 'x', FAULT, { isBroken: true }],
])('a row with %s stays in its place', (_what, row, expected, faults) => {
  const { bytes: _, ...page } = read([own, row, { ...own, id: 'c' }]);
  expect(page).toEqual({ rows: [own, expected, { ...own, id: 'c' }], ...faults });
});

test('rows with one fault share one error, however many they are', () => {
  const { rows } = read([null, 'x', own, { id: 7 }]);
  expect(new Set(rows).size).toBe(2);
});

describe('more rows than may be asked for', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ ...own, id: `${index}` }));
  const paged = (data: readonly unknown[]) => read(data, { cursor: 'behind all' });

  test('are read up to one more, and the next page starts behind that one', () => {
    expect(paged(rows(501)).cursor).toBe('500');
    const page = paged(rows(700));
    expect(page.rows).toEqual(rows(501));
    expect(page.cursor).toBe('500');
  });

  test('are none where some of them are doubles', () => {
    const page = paged([...rows(500), ...rows(500)]);
    expect(page.rows).toHaveLength(500);
    expect(page.cursor).toBe('behind all');
  });

  test('that end with broken ones are read again from the last record', () => {
    expect(paged([...rows(499), null, null, null]).cursor).toBe('498');
  });

  test('of which none is a record have the cursor of the service', () => {
    const page = paged(Array(600).fill(null));
    expect(page.rows).toHaveLength(501);
    expect(page.cursor).toBe('behind all');
  });
});

test.each([
  ['of 1,000 bytes is one', 1000, true],
  ['that is longer is none, since it could not be sent', 1001, false],
])('an id %s', (_what, length, isRecord) => {
  const row = { ...own, id: 'x'.repeat(length) };
  expect(read([row]).rows).toEqual([isRecord ? row : FAULT]);
});
