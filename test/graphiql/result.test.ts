import { describe, expect, test } from 'vitest';
import { formatParameters, groupCalls } from '../../src/graphiql/call-groups.ts';
import { formatResult, formatTiming, parseResult, type RestCall } from '../../src/graphiql/result.ts';

const lay = (body: object) => JSON.stringify(body, null, 2);

describe('the text of a result', () => {
  test('omits the content of the panel of REST calls', () => {
    const body = {
      data: { a: 1 },
      extensions: { other: 1, cost: { calls: 1 }, explain: [{}], graphiql: {} },
    };
    expect(formatResult(lay(body))).toBe(lay({ data: { a: 1 }, extensions: { other: 1 } }));
  });

  test('lists the events of a subscription, the newest first', () => {
    const events = [{ data: { a: 2 }, extensions: { cost: {} } }, { data: { a: 1 } }];
    const newest = { ...events[0], extensions: { graphiql: { events } } };
    expect(formatResult(lay(newest))).toBe(lay([{ data: { a: 2 } }, { data: { a: 1 } }]));
  });

  test.each(['', 'not JSON', 'null', '{"extensions":null}'])('%j is shown unchanged', (response) => {
    expect(formatResult(response)).toBe(response);
    expect(parseResult(response).extensions).toBeUndefined();
  });
});

test.each([
  [343.4, 'rest;dur=12;desc="1 call", total;dur=15.2', '343 ms · gateway 15 ms · REST 12 ms'],
  [4.26, 'rest;dur=0;desc="0 calls", cache;desc=hit, total;dur=0.4', '4.3 ms · gateway 0.4 ms · REST 0 ms'],
  [20, 'proxy;dur=7', '20 ms'],
])('a duration of %d ms with the header %j is shown as %j', (milliseconds, header, text) =>
  expect(formatTiming(milliseconds, header)).toBe(text),
);

test.each([
  ['fields', { only: ['name', { address: ['city', 'street'] }] }, 'name, address(city, street)'],
  ['updated_after', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
])('the REST parameter %s is shown without the punctuation of JSON', (name, value, written) => {
  expect(formatParameters({ [name]: value })).toEqual([[name, written]]);
});

test('a JSON body of a REST call is shown as JSON', () => {
  const body = { administration_id: '1001', messages: [{ id: '7', read: true }] };
  expect(formatParameters(body)).toEqual([['body', JSON.stringify(body)]]);
});

function call(cursor: string | null, change: Partial<RestCall> = {}): RestCall {
  return {
    method: 'GET',
    path: '/v1/debtors',
    parameters: { administration_id: '1', per_page: '500', ...(cursor && { cursor }) },
    status: 200,
    milliseconds: 2,
    bytes: 100,
    rows: 500,
    source: 'network',
    ...change,
  };
}
const summary = (...calls: RestCall[]) =>
  groupCalls(calls).map(({ total, pages }) => [total.path, total.status, total.rows, pages]);
const other = { path: '/v1/companies' };

test.each([
  ['one call', [call(null)], [['/v1/debtors', 200, 500, 1]]],
  ['pages of a list', [call(null), call('a'), call('b', { rows: 200 })], [['/v1/debtors', 200, 1200, 3]]],
  [
    'lists whose pages alternate',
    [call(null), call(null, other), call('a'), call('a', other)],
    [
      ['/v1/debtors', 200, 1000, 2],
      ['/v1/companies', 200, 1000, 2],
    ],
  ],
  [
    'a page that was retried, which shows its worst status',
    [call(null), call('a', { status: 503, rows: null }), call('a')],
    [['/v1/debtors', 503, 1000, 2]],
  ],
  ['a call that failed', [call(null, { status: null, rows: null })], [['/v1/debtors', null, null, 1]]],
])('the REST calls of a result are summed by list: %s', (_case, calls, lines) =>
  expect(summary(...calls)).toEqual(lines),
);
