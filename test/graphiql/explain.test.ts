import { expect, test } from 'vitest';
import { explainResponse } from '../../src/graphiql/explain.ts';

const NOTHING_KNOWN = {
  method: null,
  path: null,
  parameters: [],
  status: null,
  milliseconds: null,
  bytes: null,
  rows: null,
  source: null,
};

function explain(extensions: unknown) {
  return explainResponse(JSON.stringify({ data: {}, extensions }));
}

test('a call is read with all that the gateway tells of it', () => {
  const call = { method: 'GET', path: '/debtors', status: 200, milliseconds: 4.2, bytes: 120, rows: 3 };
  const cost = { estimatedCalls: 2, calls: 1, cacheHits: 1, coalesced: 0 };
  expect(explain({ cost, explain: [{ ...call, parameters: {}, source: 'network' }] })).toEqual({
    calls: [{ ...call, parameters: [], source: 'network' }],
    cost,
  });
});

test.each([
  [
    'fields',
    { only: ['name', { postal_address: ['city', 'street_1'] }] },
    'name, postal_address(city, street_1)',
  ],
  ['ids', [7, 8], '7, 8'],
  ['updated_after', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['page', null, 'null'],
])('the parameter %s is written without the punctuation of JSON', (name, value, written) => {
  expect(explain({ explain: [{ parameters: { [name]: value } }] })).toMatchObject({
    calls: [{ parameters: [[name, written]] }],
  });
});

test('a body of JSON is written as JSON', () => {
  const body = { administration_id: '1001', messages: [{ id: '7', read: true }] };
  expect(explain({ explain: [{ method: 'PATCH', parameters: body }] })).toMatchObject({
    calls: [{ parameters: [['body', JSON.stringify(body)]] }],
  });
});

test('what is absent, null or of another kind is left open', () => {
  const odd = { method: null, path: 7, parameters: 'x', status: '200', rows: {} };
  expect(explain({ cost: null, explain: [{}, odd, null, 'x'] })).toEqual({
    calls: [NOTHING_KNOWN, NOTHING_KNOWN],
    cost: { estimatedCalls: null, calls: null, cacheHits: null, coalesced: null },
  });
});

const CODED = { message: 'No.', extensions: { code: 'BAD_USER_INPUT' } };

test.each([
  ['that has no data', { errors: [CODED] }, 'refused'],
  ['whose data is null', { errors: [CODED], data: null }, undefined],
  [
    'whose error has no code, as that of a request which was not sent',
    { errors: [{ message: 'No.' }] },
    undefined,
  ],
])('of a response with errors %s, it is told whether the operation ran', (_case, body, told) => {
  expect(explainResponse(JSON.stringify(body))).toBe(told);
});

test.each(['', 'not JSON', 'null', '[]', '{}', '{"extensions":null}', '{"extensions":{"explain":{}}}'])(
  'the response %j explains nothing',
  (response) => expect(explainResponse(response)).toBeUndefined(),
);
