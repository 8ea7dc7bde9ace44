import { expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { readBody } from '../../src/rest/page-body.ts';
import { defineResource } from '../../src/rest/resource.ts';

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  requiredFields: ['id'],
  takesFields: true,
  filters: {},
});
const read = (data: readonly unknown[]) => readBody({ data }, 10, resource, '1');
const own = { id: 'a', administration_id: '1' };
const FAULT = expect.any(RestError);

test('a page of sound rows is those very rows, and nothing is made for them', () => {
  const { rows, ...page } = read([own, { ...own, id: 'b' }, own]);
  expect(rows).toEqual([own, { ...own, id: 'b' }]);
  expect(rows[0]).toBe(own);
  expect(page).toEqual({ bytes: 10 });
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
  expect(read([own, row, { ...own, id: 'c' }])).toEqual({
    rows: [own, expected, { ...own, id: 'c' }],
    bytes: 10,
    ...faults,
  });
});

test('rows with one fault share one error, however many they are', () => {
  const { rows } = read([null, 'x', own, { id: 7 }]);
  expect(new Set(rows).size).toBe(2);
});
