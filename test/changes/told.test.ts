import { describe, expect, test } from 'vitest';
import { contentHash } from '../../src/changes/change.ts';
import { retryDelay } from '../../src/changes/endings.ts';
import { Told } from '../../src/changes/told.ts';
import { RestError } from '../../src/rest/errors.ts';
import { fieldsOf } from '../../src/rest/fields.ts';

const fields = { ...fieldsOf(['name']), labels: fieldsOf(['name']), postalAddress: fieldsOf(['city']) };
const record = { internalId: '1', name: 'Noëlle', labels: [{ name: 'a' }], postalAddress: { city: 'Ede' } };
const hash = (row: object) => contentHash(row, fields);

describe('the content of a record', () => {
  test('does not depend on the order of its fields, or on what is not selected', () => {
    const { name, labels } = record;
    const postalAddress = { region: 'x', city: 'Ede' };
    expect(hash({ postalAddress, labels, name, remark: 'new' })).toBe(hash(record));
  });

  test.each([
    ['a field', { name: 'Noelle' }],
    ['a member', { postalAddress: { city: 'Oss' } }],
    ['a list', { labels: [{ name: 'b' }, { name: 'a' }] }],
    ['nothing in the place of an object', { postalAddress: null }],
  ])('depends on %s', (_what, changed) => {
    expect(hash({ ...record, ...changed })).not.toBe(hash(record));
  });
});

describe('what was told', () => {
  test('is told again only if the record has changed, and changes back count', () => {
    const told = new Told();
    const times = ['a', 'a', 'b', 'b', 'a', 'a', 'b', 'c'].map((content) => told.add('1', content, 1));
    expect(times).toEqual([0, undefined, 0, undefined, 1, undefined, 1, 0]);
    expect(told.add('2', 'a', 1)).toBe(0);
  });

  test('is forgotten once a complete walk has not seen the record', () => {
    const told = new Told();
    told.add('1', 'a', 1);
    told.add('2', 'a', 1);
    told.add('2', 'a', 2);
    told.keepSeenBy(2);
    expect([told.add('1', 'a', 3), told.add('2', 'a', 3)]).toEqual([0, undefined]);
  });

  test('is recognised also where it is settled since, and not noted where it is settled before', () => {
    const told = new Told();
    told.add('1', 'a', 1);
    expect(told.add('1', 'a', 2, true)).toBe(undefined);
    expect([told.add('2', 'a', 2, true), told.add('2', 'a', 2, true)]).toEqual([0, 0]);
  });

  test('is known to others if they have noted each content of it', () => {
    const [own, shared] = [new Told(), new Told()];
    own.add('1', 'a', 1);
    for (const told of [own, shared]) told.add('1', 'b', 2);
    expect([shared.knows(own), own.knows(shared)]).toEqual([false, true]);
    shared.add('1', 'a', 3);
    expect(shared.knows(own)).toBe(true);
  });
});

const limited = (retryAfter: number) => new RestError('RATE_LIMITED', 'Slow down.', { retryAfter });

test.each([
  ['twice the interval after a failure', new Error('no'), 1, 10_000],
  ['a minute at most by itself', new Error('no'), 50, 60_000],
  ['as long as the service asks', limited(120), 1, 120_000],
  ['no shorter than without its asking', limited(1), 3, 40_000],
  ['five minutes, whatever the service asks', limited(9_999_999), 1, 300_000],
])('a poller waits %s', (_what, error, failures, expected) => {
  expect(retryDelay(error, 5_000, failures)).toBe(expected);
});
