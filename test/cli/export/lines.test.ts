import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeLines } from '../../../src/cli/export/copy-rows.ts';

async function linesIn(chunks: readonly Uint8Array[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of wholeLines(chunksOf(chunks))) lines.push(line);
  return lines;
}

async function* chunksOf(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

test('lines are the same however their bytes are cut', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ë', '日', '👍', '\u2028', '\r', '"') });
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.array(fc.nat(60)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(await linesIn(chunks)).toEqual(lines);
    }),
  );
});

test('what does not end is no line', async () => {
  expect(await linesIn([Buffer.from('one\ntwo\nthr')])).toEqual(['one', 'two']);
});

test('what never ends is refused, and does not fill the memory', async () => {
  const chunks = Array.from({ length: 11 }, () => Buffer.alloc(1_000_000, 'x'));
  await expect(linesIn([Buffer.from('one\n'), ...chunks])).rejects.toMatchObject({
    code: 'LINE_TOO_LONG',
    isTransient: true,
  });
});
