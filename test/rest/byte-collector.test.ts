import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteCollector } from '../../src/limits/byte-collector.ts';

/** A chunk as Node gives it: a view of what was read from a socket. */
function chunkOf(length: number, readBytes = length): Buffer {
  const read = Buffer.allocUnsafeSlow(readBytes).fill(7);
  return read.subarray(readBytes - length);
}

function collect(chunks: readonly Buffer[]): ByteCollector {
  const collector = new ByteCollector();
  for (const chunk of chunks) collector.append(chunk);
  return collector;
}

test('nothing is an empty body', () => {
  expect(new ByteCollector().content()).toHaveLength(0);
});

test.each([
  ['alone in what was read', chunkOf(5000)],
  ['behind headers', chunkOf(100, 700)],
])('a single chunk %s is the body itself, and counts as all that was read', (_, chunk) => {
  const collector = collect([chunk]);
  expect(collector.content()).toBe(chunk);
  expect(collector.held).toBe(chunk.buffer.byteLength);
});

test.each<[string, Buffer[], number]>([
  ['one byte of 64 KiB', [chunkOf(1, 65_536)], 1024],
  ['100,000 chunks of one byte', Array.from({ length: 100_000 }, () => chunkOf(1)), 150_000],
  [
    'chunks of one byte, each in 64 KiB',
    Array.from({ length: 200 }, () => chunkOf(1, 65_536)),
    1.5 * 200 + 1024,
  ],
  ['chunks that grow', [1, 10, 100, 1000, 10_000, 100_000].map((length) => chunkOf(length)), 170_000],
  ['a large chunk and then single bytes', [chunkOf(65_536), ...times(3, () => chunkOf(1))], 1.5 * 65_539],
  ['empty chunks', [chunkOf(0, 65_536), chunkOf(3), chunkOf(0, 65_536)], 3],
])('%s take no more memory than is told', (_, chunks, most) => {
  expect(collect(chunks).held).toBeLessThanOrEqual(most);
});

test('no chunk is kept: as objects, they would take a hundred times as much', () => {
  const length = 500_000;
  const read = Buffer.allocUnsafeSlow(65_536);
  const before = usedBytes();
  const collector = new ByteCollector();
  for (let index = 0; index < length; index += 1) collector.append(read.subarray(7, 8));
  expect(usedBytes() - before).toBeLessThan(10 * length);
  expect(collector.length).toBe(length);
});

test('whatever the chunks are, the body is what they say, and held is what was told, and bounded', () => {
  const chunks = fc.array(
    fc.record({
      bytes: fc.uint8Array({ maxLength: 3000 }),
      offset: fc.constantFrom(0, 0, 1, 600, 20_000),
    }),
  );
  fc.assert(
    fc.property(chunks, (pieces) => {
      const collector = new ByteCollector();
      let told = 0;
      for (const { bytes, offset } of pieces) {
        const read = Buffer.allocUnsafeSlow(offset + bytes.length);
        read.set(bytes, offset);
        told += collector.append(read.subarray(offset));
        expect(collector.held).toBe(told);
        expect(collector.held).toBeLessThanOrEqual(1.5 * collector.length + 16_384 + 1024);
      }
      const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
      expect(collector.length).toBe(body.length);
      expect(collector.content().equals(body)).toBe(true);
      expect(collector.content().equals(body)).toBe(true);
    }),
  );
});

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
