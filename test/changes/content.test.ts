import { describe, expect, test } from 'vitest';
import { contentHash } from '../../src/changes/change.ts';
import { SentContents } from '../../src/changes/follower.ts';
import { fieldsOf, LEAF } from '../../src/rest/fields.ts';
import { DECODED_TEXT, WIRE_TEXT } from '../../src/rest/wire-text.ts';

const fields = {
  ...fieldsOf(['name']),
  labels: fieldsOf(['name', 'rank']),
  postal_address: fieldsOf(['city']),
};
const hash = (record: object) => contentHash(record, fields, DECODED_TEXT);
const record = { id: '1', name: 'Noëlle', labels: [{ name: 'a', rank: 1 }], postal_address: { city: 'Ede' } };

describe('the content of a record', () => {
  test.each([
    [
      'the order of its fields',
      { labels: record.labels, postal_address: record.postal_address, name: 'Noëlle' },
    ],
    ['the order of members', { ...record, labels: [{ rank: 1, name: 'a' }] }],
    [
      'fields that are not selected',
      { ...record, id: '2', remark: 'new', postal_address: { city: 'Ede', region: 'x' } },
    ],
    // No scalar is an object, so that nobody is told what is in it; a service could send a hundred thousand members.
    [
      'what is in an object in the place of a value',
      { ...record, name: { first: 'Noëlle' } },
      { ...record, name: {} },
    ],
  ])('does not depend on %s', (_what, other, one = record) => {
    expect(hash(other)).toBe(hash(one));
  });

  test.each([
    ['a field', { ...record, name: 'Noelle' }],
    ['a member', { ...record, postal_address: { city: 'Oss' } }],
    ['a member of an item', { ...record, labels: [{ name: 'a', rank: 2 }] }],
    ['the order of a list', { ...record, labels: [{ name: 'b' }, { name: 'a', rank: 1 }] }],
    ['a kind of value', { ...record, name: 1 }],
    ['nothing in the place of an object', { ...record, postal_address: null }],
  ])('depends on %s', (_what, other) => {
    expect(hash(other)).not.toBe(hash(record));
  });

  test('is the same however a gateway holds text', () => {
    const bytes = Buffer.from(JSON.stringify(record));
    const wire = WIRE_TEXT.parse(bytes);
    if (typeof wire !== 'object' || wire === null) throw new TypeError('no record');
    expect(contentHash(wire, fields, WIRE_TEXT)).toBe(hash(record));
    expect(contentHash({ a: 1 }, { a: LEAF }, WIRE_TEXT)).toBe(
      contentHash({ a: 1 }, { a: LEAF }, DECODED_TEXT),
    );
  });
});

describe('what was told', () => {
  test('is told again only if the record has changed, and changes back count', () => {
    const told = new SentContents();
    const contents = ['a', 'a', 'b', 'b', 'a', 'a', 'b', 'c'];
    expect(contents.map((content) => told.add('1', content, 1))).toEqual([
      0,
      undefined,
      0,
      undefined,
      1,
      undefined,
      1,
      0,
    ]);
    expect(told.add('2', 'a', 1)).toBe(0);
  });

  test('is forgotten once a complete walk has not seen the record', () => {
    let bytes = 0;
    const told = new SentContents((more) => {
      bytes += more;
    });
    told.add('1', 'a', 1);
    told.add('2', 'a', 1);
    told.add('2', 'a', 2);
    told.count();
    const before = bytes;
    told.keepSeenBy(2);
    told.count();
    expect(bytes).toBe(before / 2);
    expect([told.add('1', 'a', 3), told.add('2', 'a', 3)]).toEqual([0, undefined]);
  });

  test('is known to others if they have noted each content of it', () => {
    const [own, shared] = [new SentContents(), new SentContents()];
    own.add('1', 'a', 1);
    expect(shared.knows(own)).toBe(false);
    for (const told of [own, shared]) told.add('1', 'b', 2);
    expect(shared.knows(own)).toBe(false);
    expect(own.knows(shared)).toBe(true);
    shared.add('1', 'a', 3);
    expect(shared.knows(own)).toBe(true);
  });

  test('does not grow with a record that changes all the time', () => {
    const told = new SentContents();
    for (let count = 0; count < 1_000; count += 1) told.add('1', String(count), count);
    // Its earliest contents are forgotten.
    expect(told.add('1', '0', 1_001)).toBe(0);
    expect(told.add('1', '999', 1_002)).toBe(1);
  });
});
