import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLineWriter } from '../../src/telemetry/log.ts';

/** A stream whose reader reads when it is told to. */
function stalledStream() {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      written.push(chunk);
      waiting.push(done);
    },
  });
  return { stream, written, readOne: () => waiting.shift()?.() };
}

const toldDrops = (dropped: number) => `dropped ${dropped}`;

test('lines are written together', () => {
  const { stream, written } = stalledStream();
  const writer = createLineWriter(stream, toldDrops);
  writer.write('one');
  writer.write('two');
  expect(written).toEqual([]);
  writer.flush();
  expect(written).toEqual(['one\ntwo\n']);
});

test('many lines are written before their time', () => {
  const { stream, written } = stalledStream();
  const writer = createLineWriter(stream, toldDrops);
  for (let count = 0; count < 20; count += 1) writer.write('x'.repeat(1_000));
  expect(written.join('').length).toBeGreaterThan(15_000);
});

test('a reader that stops costs lines, not memory; how many is told when it reads again', async () => {
  const { stream, written, readOne } = stalledStream();
  const writer = createLineWriter(stream, toldDrops);
  for (let count = 0; count < 5_000; count += 1) writer.write('x'.repeat(1_000));
  expect(stream.writableLength).toBeLessThan(1_100_000);
  const { dropped } = writer;
  expect(dropped).toBeGreaterThan(3_500);
  while (stream.writableLength > 0) {
    readOne();
    await new Promise(setImmediate);
  }
  writer.write('again');
  writer.flush();
  expect(written.at(-1)?.split('\n').slice(-3)).toEqual([`dropped ${dropped}`, 'again', '']);
  expect(writer.dropped).toBe(dropped);
});

test('a reader that has gone costs lines, and no error', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const writer = createLineWriter(stream, toldDrops);
  writer.write('one');
  await writer.end();
  writer.write('two');
  await writer.end();
  expect(writer.dropped).toBe(1);
});

test('the end waits for the lines', async () => {
  const { stream, written, readOne } = stalledStream();
  const writer = createLineWriter(stream, toldDrops);
  writer.write('one');
  const ended = writer.end();
  expect(written).toEqual(['one\n']);
  readOne();
  await ended;
});
