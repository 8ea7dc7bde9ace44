import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PersistedDocuments } from '../../src/request/documents/stored-documents.ts';
import { casesOf } from '../support/search.ts';

const ROOM = 100_000;
const HOUR = 3_600_000;
const text = (length: number, letter = 'x') => letter.repeat(length);

describe('what is registered', () => {
  test('is found by its owner alone', () => {
    const documents = new PersistedDocuments();
    documents.add('a', 'hash', 'text');
    expect([documents.find('a', 'hash'), documents.find('b', 'hash')]).toEqual(['text', undefined]);
  });

  test('makes room among what its owner has used least recently', () => {
    const documents = new PersistedDocuments(ROOM);
    for (const hash of ['1', '2', '3']) documents.add('a', hash, text(7_000));
    documents.find('a', '1');
    documents.add('a', '4', text(7_000));
    expect(['1', '2', '3', '4'].filter((hash) => documents.find('a', hash))).toEqual(['1', '3', '4']);
  });

  test('is dropped when its owner has not come for an hour, whichever of its documents it then used', () => {
    let now = 0;
    const documents = new PersistedDocuments(ROOM, () => now);
    documents.add('idle', '1', 'text');
    documents.add('busy', '1', 'text');
    now = HOUR;
    documents.find('busy', '1');
    now = HOUR + 1;
    documents.add('another', '1', 'text');
    expect(['idle', 'busy', 'another'].filter((owner) => documents.find(owner, '1'))).toEqual([
      'busy',
      'another',
    ]);
  });

  test('gives way to a credential if it is of an address, however many there are', () => {
    const documents = new PersistedDocuments(ROOM);
    for (let address = 0; address < 40; address += 1)
      for (const hash of ['1', '2', '3']) documents.add(`10.0.0.${address}`, hash, text(7_000));
    documents.add('credential', '1', text(7_000));
    expect(documents.find('credential', '1')).toBe(text(7_000));
    documents.add('10.0.1.1', '1', text(7_000));
    expect(documents.find('credential', '1')).toBe(text(7_000));
  });

  test('is not kept where it is longer than a document may be', () => {
    const documents = new PersistedDocuments();
    documents.add('a', '1', text(64_001));
    expect([documents.find('a', '1'), documents.size]).toEqual([undefined, { bytes: 0, entries: 0 }]);
  });
});

test('nobody drops or finds what another has registered, and all of it stays within the bound', () => {
  const step = fc.record({
    owner: fc.constantFrom('a', 'b', 'c', 'd'),
    hash: fc.integer({ min: 0, max: 9 }).map(String),
    length: fc.integer({ min: 0, max: 30_000 }),
    isAdded: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const documents = new PersistedDocuments(ROOM, () => 0);
      const others = (owner: string) =>
        ['a', 'b', 'c', 'd'].filter((other) => other !== owner).flatMap((other) => kept(documents, other));
      for (const { owner, hash, length, isAdded } of steps) {
        const before = others(owner);
        const own = `${owner}${hash}`.padEnd(length);
        if (isAdded) documents.add(owner, hash, own);
        const found = documents.find(owner, hash);
        if (found !== undefined) expect(found.startsWith(`${owner}${hash}`)).toBe(true);
        expect(others(owner)).toEqual(before);
        expect(documents.size.bytes).toBeLessThanOrEqual(ROOM);
      }
      const all = ['a', 'b', 'c', 'd'].flatMap((owner) => kept(documents, owner));
      expect(documents.size.entries).toBe(all.length);
    }),
    { numRuns: casesOf({ short: 20, long: 100 }) },
  );
});

function kept(documents: PersistedDocuments, owner: string): string[] {
  return Array.from({ length: 10 }, (_, hash) => String(hash)).filter(
    (hash) => documents.find(owner, hash) !== undefined,
  );
}
