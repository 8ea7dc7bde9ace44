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

test('parameters are written without the punctuation of JSON', () => {
  const fields = { only: ['name', { postal_address: { only: ['city', 'street_1'] } }] };
  const parameters = { fields, ids: [7, 8], updated_after: '2024-01-01T00:00:00Z', page: null };
  expect(explain({ explain: [{ parameters }] })?.calls[0]?.parameters).toEqual([
    ['fields', 'name, postal_address(city, street_1)'],
    ['ids', '7, 8'],
    ['updated_after', '2024-01-01T00:00:00Z'],
    ['page', 'null'],
  ]);
});

test('what is absent, null or of another kind is left open', () => {
  const odd = { method: null, path: 7, parameters: 'x', status: '200', rows: {} };
  expect(explain({ cost: null, explain: [{}, odd, null, 'x'] })).toEqual({
    calls: [NOTHING_KNOWN, NOTHING_KNOWN],
    cost: { estimatedCalls: null, calls: null, cacheHits: null, coalesced: null },
  });
});

test.each(['', 'not JSON', 'null', '[]', '{}', '{"extensions":null}', '{"extensions":{"explain":{}}}'])(
  'the response %j explains nothing',
  (response) => expect(explainResponse(response)).toBeUndefined(),
);
