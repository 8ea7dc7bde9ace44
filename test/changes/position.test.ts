import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeKind } from '../../src/changes/change.ts';
import { retryDelay } from '../../src/changes/poller.ts';
import {
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPosition,
  nextMark,
} from '../../src/changes/position.ts';
import { RestError } from '../../src/rest/errors.ts';

const KINDS = [
  'DEBTOR_CHANGED',
  'DECLARATION_LINE_CHANGED',
  'CREDIT_CASE_DELETED',
  'PAYMENT_DELETED',
] as const;
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const moment = fc.integer({ min: 0, max: LAST });
const position: fc.Arbitrary<FeedPosition> = fc.oneof(
  moment.map((mark) => ({ mark })),
  fc
    .tuple(moment, moment, fc.string({ minLength: 1, unit: 'grapheme' }))
    .map(([mark, start, id]) => ({ mark, walk: { start, id } })),
);

describe('a cursor', () => {
  test('holds the position of each kind', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.dictionary(fc.constantFrom(...KINDS), position, { minKeys: 1, noNullPrototype: true }),
        (administrationId, given) => {
          const positions = new Map<ChangeKind, FeedPosition>();
          for (const kind of KINDS) if (given[kind]) positions.set(kind, given[kind]);
          const cursor = encodeFeedCursor(administrationId, positions);
          expect(cursor).toMatch(/^[\w-]+$/);
          expect(decodeFeedCursor(cursor, administrationId, [...positions.keys()])).toEqual(positions);
        },
      ),
    );
  });

  const valid = encodeFeedCursor('1001', new Map([['DEBTOR_CHANGED', { mark: 5 }]]));
  const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['no JSON', Buffer.from('hello').toString('base64url')],
    ['no positions', written([1, '1001', null])],
    ['a mark that is no number', written([1, '1001', { d: ['5'] }])],
    ['a mark after the year 9999', written([1, '1001', { d: [LAST + 1] }])],
    ['a record without an id', written([1, '1001', { d: [5, 6, ''] }])],
    ['more than any id is long', `${valid}${'A'.repeat(20_000)}`],
  ])('is refused with %s', (_what, cursor) => {
    expect(() => decodeFeedCursor(cursor, '1001', ['DEBTOR_CHANGED'])).toThrow('not the cursor of an event');
  });
});

test.each([
  ['moves on with the walks', 1_000, 71_000, 11_000],
  ['stays where it is when a walk starts at once', 1_000, 61_000, 1_000],
  ['stays for a clock that is a little slow', 1_000, 60_000, 1_000],
  ['goes back with a clock that was put back', 1_000_000, 100_000, 40_000],
])('the mark %s', (_what, mark, start, expected) => {
  expect(nextMark(mark, start, 60_000)).toBe(expected);
});

const limited = (retryAfter: number) => new RestError('RATE_LIMITED', 'Slow down.', { retryAfter });

test.each([
  ['twice the interval after a failure', new Error('no'), 1, 10_000],
  ['a minute at most by itself', new Error('no'), 50, 60_000],
  ['as long as the service asks', limited(120), 1, 120_000],
  ['five minutes, whatever the service asks', limited(9_999_999), 1, 300_000],
])('a poller waits %s', (_what, error, failures, expected) => {
  expect(retryDelay(error, 5_000, failures)).toBe(expected);
});
