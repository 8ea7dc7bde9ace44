import { describe, expect, test } from 'vitest';
import {
  debtorsOf,
  type KnownDebtors,
  mergeReading,
  NOTHING,
} from '../../examples/dashboard/src/known-debtors.ts';

/** What is known after readings, each sent at a time and bringing ids with a version. */
function knownAfter(
  ...readings: readonly (readonly [sentAt: number, ids: Readonly<Record<string, string>>])[]
) {
  return readings.reduce<KnownDebtors>((known, [at, ids]) => {
    const debtors = Object.entries(ids).map(([id, version]) => ({ id, version }));
    return mergeReading(known, { debtors, sent: { at, gatewayTime: 1000 + at } });
  }, NOTHING);
}

describe('what is known of debtors', () => {
  test.each([
    ['the later reading', knownAfter([1, { a: 'old' }], [2, { a: 'new' }])],
    ['the later reading, though it came first', knownAfter([2, { a: 'new' }], [1, { a: 'old' }])],
    ['the one that came last, of two at one moment', knownAfter([1, { a: 'old' }], [1, { a: 'new' }])],
  ])('is %s', (_, known) => {
    expect(debtorsOf(known, ['a'], false)).toMatchObject([{ debtor: { id: 'a', version: 'new' } }]);
  });

  test('counts from the first reading on', () => {
    expect(knownAfter([5, {}], [7, { a: '1' }]).since).toBe(1005);
  });

  test.each([
    ['a change', { id: 'a', version: '2' }, true, 2],
    ['one that is new', { id: 'b', version: '1' }, true, 2],
    ['what is known already', { id: 'a', version: '1' }, true, undefined],
    ['another page of the list', { id: 'a', version: '2' }, false, undefined],
  ])('says when it was seen to change: %s', (_, debtor, isRefresh, changedAt) => {
    const before = knownAfter([1, { a: '1' }]);
    const known = mergeReading(before, { debtors: [debtor], sent: { at: 2, gatewayTime: 2 }, isRefresh });
    expect(known.revision).toBe(changedAt === undefined ? 0 : 1);
    expect(known.byId.get(debtor.id)?.changedAt).toBe(changedAt);
    // It stays when it is read again.
    const later = mergeReading(known, { debtors: [debtor], sent: { at: 3, gatewayTime: 3 } });
    expect(later.byId.get(debtor.id)?.changedAt).toBe(changedAt);
  });

  test.each([
    ['a list that goes on shows its own', ['a', 'b'], false, ['a', 'b']],
    ['a list that was read to its end shows others behind its own', ['c', 'a'], true, ['c', 'a', 'b']],
    ['one that comes twice is shown at its first place', ['b', 'a', 'b'], false, ['b', 'a']],
    ['one that nobody has read is not shown', ['x', 'a'], false, ['a']],
  ])('%s', (_, ids, isWhole, shown) => {
    const known = knownAfter([1, { a: '1', b: '1', c: '1' }]);
    expect(debtorsOf(known, ids, isWhole).map(({ debtor }) => debtor.id)).toEqual(shown);
  });
});
