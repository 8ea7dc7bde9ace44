import { expect, test } from 'vitest';
import { UnreadCursors } from '../../../src/cli/changes/state-file.ts';

const LINE = 'x'.repeat(100_000);

test('a line is surely read when far more was written behind it', () => {
  const cursors = new UnreadCursors();
  expect(cursors.read).toBeUndefined();
  cursors.add('start');
  const read = ['a', 'b', 'c', 'd', 'e'].map((cursor) => {
    cursors.wrote(LINE);
    cursors.add(cursor);
    return cursors.read;
  });
  expect(read).toEqual(['start', 'start', 'start', 'a', 'b']);
});

test('where nothing is written, the last cursor is as good as any before', () => {
  const cursors = new UnreadCursors();
  for (const cursor of ['a', 'b', 'c']) cursors.add(cursor);
  expect(cursors.read).toBe('c');
  cursors.wrote(LINE);
  cursors.add('d');
  cursors.add('e');
  expect(cursors.read).toBe('c');
  for (let line = 0; line < 3; line += 1) cursors.wrote(LINE);
  cursors.add('f');
  expect(cursors.read).toBe('e');
});
