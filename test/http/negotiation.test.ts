import { describe, expect, test } from 'vitest';
import {
  JSON_TYPE,
  negotiate,
  preferredEncoding,
  prefersHtml,
  RESPONSE_JSON,
  streamTypeIn,
} from '../../src/http/negotiation.ts';

describe('the type of an answer', () => {
  test.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    [' , ', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [RESPONSE_JSON, RESPONSE_JSON],
    ['APPLICATION/GRAPHQL-RESPONSE+JSON', RESPONSE_JSON],
    // Equal weights: what is named first.
    [`${RESPONSE_JSON}, ${JSON_TYPE}`, RESPONSE_JSON],
    [`${JSON_TYPE}, ${RESPONSE_JSON}`, JSON_TYPE],
    [`${RESPONSE_JSON}, */*`, RESPONSE_JSON],
    [`*/*, ${RESPONSE_JSON}`, JSON_TYPE],
    [`${JSON_TYPE};q=0.5, ${RESPONSE_JSON};q=0.5`, JSON_TYPE],
    // Weights decide, wherever they stand.
    [`${JSON_TYPE};q=0.1, ${RESPONSE_JSON};q=0.9`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, ${JSON_TYPE};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=0.999, ${RESPONSE_JSON}`, RESPONSE_JSON],
    [`${JSON_TYPE}; Q=0.1 , ${RESPONSE_JSON} ; q = 0.9`, RESPONSE_JSON],
    [`${JSON_TYPE};charset=utf-8;q=0.1, ${RESPONSE_JSON};charset=utf-8;q=0.2`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.9, */*;q=0.1`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, */*;q=0.9`, JSON_TYPE],
    // The most specific range decides on a type, whatever a wider one says.
    [`${JSON_TYPE};q=0, */*`, RESPONSE_JSON],
    [`${JSON_TYPE};q=0, application/*`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0, */*`, JSON_TYPE],
    [`application/*;q=0, */*`, undefined],
    [`application/*;q=0, ${JSON_TYPE}`, JSON_TYPE],
    [`*/*;q=0, ${RESPONSE_JSON};q=0.001`, RESPONSE_JSON],
    [`${JSON_TYPE};q=0`, undefined],
    [`${JSON_TYPE};q=0.0, ${RESPONSE_JSON};q=0.000`, undefined],
    ['*/*;q=0', undefined],
    ['text/html, text/*', undefined],
    ['text/html;q=1, */*;q=0.1', JSON_TYPE],
    ['nonsense', undefined],
    // A weight that is none is left out of account.
    [`${JSON_TYPE};q=, ${RESPONSE_JSON};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=high, ${RESPONSE_JSON};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=-1`, JSON_TYPE],
    [`${JSON_TYPE};q=0, ${JSON_TYPE};charset=utf-8`, JSON_TYPE],
  ])('for %j is %s', (accept, type) => {
    expect(negotiate(accept)).toBe(type);
  });

  test('is found in a header of nothing but commas', () => {
    expect(negotiate(','.repeat(16_000))).toBe(JSON_TYPE);
  });
});

const PARTS = 'multipart/mixed;subscriptionSpec=1.0';

test.each([
  [undefined, undefined],
  ['', undefined],
  // What takes anything does not wait for a stream.
  ['*/*', undefined],
  ['text/*', undefined],
  [JSON_TYPE, undefined],
  ['text/event-stream', 'sse'],
  ['Text/Event-Stream; charset=utf-8', 'sse'],
  [`${JSON_TYPE}, text/event-stream;q=0.1`, 'sse'],
  ['text/event-stream;q=0', undefined],
  ['text/event-stream;q=0.0, */*', undefined],
  [PARTS, 'multipart'],
  ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0', 'multipart'],
  ['multipart/mixed; boundary="graphql"; SubscriptionSpec = "1.0"', 'multipart'],
  [`${PARTS};q=0`, undefined],
  // Parts of `@defer`, or of anybody's.
  ['multipart/mixed', undefined],
  ['multipart/mixed;deferSpec=20220824', undefined],
  ['multipart/mixed;subscriptionSpec=2.0', undefined],
  ['multipart/mixed;subscriptionSpec=1.0.1', undefined],
  ['multipart/form-data;subscriptionSpec=1.0', undefined],
  // By weight, then by position.
  [`text/event-stream, ${PARTS}`, 'sse'],
  [`${PARTS}, text/event-stream`, 'multipart'],
  [`${PARTS};q=0.5, text/event-stream`, 'sse'],
  [`text/event-stream;q=0.5, ${PARTS};q=0.6`, 'multipart'],
  [`text/event-stream;q=0, ${PARTS};q=0.1`, 'multipart'],
  // As urql and Apollo Client send it.
  ['text/event-stream, multipart/mixed', 'sse'],
  [`multipart/mixed;boundary=graphql;subscriptionSpec=1.0,${RESPONSE_JSON},${JSON_TYPE};q=0.9`, 'multipart'],
])('a stream for %j is %s', (accept, type) => {
  expect(streamTypeIn(accept)).toBe(type);
});

test.each([
  ['text/html', true],
  ['text/html;q=0.5, text/plain', false],
  ['text/html;q=0, */*', false],
  ['*/*', false],
  [undefined, false],
])('a page for %j is HTML: %s', (accept, isHtml) => {
  expect(prefersHtml(accept, ['text/plain'])).toBe(isHtml);
});

const AVAILABLE = ['br', 'zstd', 'gzip'] as const;

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, compress', undefined],
  ['nonsense', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, zstd', 'zstd'],
  ['*', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.501', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['br;q=0, zstd;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, *', 'br'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.2, *;q=0.1', undefined],
  ['gzip;q=0.001', 'gzip'],
])('the encoding for %j is %s', (header, encoding) => {
  expect(preferredEncoding(header, AVAILABLE).encoding).toBe(encoding);
});

test.each([
  ['gzip', false],
  ['', false],
  ['*', false],
  ['identity;q=0.1', false],
  ['*;q=0, identity', false],
  ['identity;q=0', true],
  ['gzip, identity;q=0', true],
  ['gzip, *;q=0', true],
])('%j refuses a body as it is: %s', (header, refuses) => {
  expect(preferredEncoding(header, AVAILABLE).refusesIdentity).toBe(refuses);
});
