import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventStreamParser, type ServerSentEvent } from '../../src/http/server-sent-events.ts';

function eventsOf(chunks: readonly Uint8Array[]): ServerSentEvent[] {
  const parser = new EventStreamParser();
  return chunks.flatMap((chunk) => parser.take(chunk));
}

test('an event is the same wherever its bytes are split, also within characters', () => {
  const bytes = Buffer.from('event: next\nid: ü\ndata: 👍 Noëlle\n\n:\n\nid: x\ndata: y\n\ndata: z\n\n');
  const whole = eventsOf([bytes]);
  expect(whole).toEqual([
    { event: 'next', id: 'ü', data: '👍 Noëlle' },
    { id: 'x', data: 'y' },
    { data: 'z' },
  ]);
  const places = fc.array(fc.nat(bytes.length), { maxLength: 8 });
  fc.assert(
    fc.property(places, (cuts) => {
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      expect(eventsOf(chunks)).toEqual(whole);
    }),
  );
});
