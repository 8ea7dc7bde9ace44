import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventStreamParser, type ServerSentEvent } from '../../src/http/server-sent-events.ts';

function eventsOf(chunks: readonly Uint8Array[]): ServerSentEvent[] {
  const parser = new EventStreamParser();
  return chunks.flatMap((chunk) => parser.take(chunk));
}

const bytesOf = (text: string) => [Buffer.from(text)];

describe('an event', () => {
  test.each<[what: string, text: string, events: ServerSentEvent[]]>([
    [
      'has an event, an id and data',
      'event: next\nid: 7\ndata: {}\n\n',
      [{ event: 'next', id: '7', data: '{}' }],
    ],
    ['is no comment', ':\n\n: still here\n\n', []],
    ['has fields that nobody knows', 'retry: 5\nnonsense\nid: 7\n\n', [{ id: '7' }]],
    ['is left out if it was cut off', 'id: 1\n\nid: 2\ndata: {}\n', [{ id: '1' }]],
  ])('%s', (_what, text, events) => {
    expect(eventsOf(bytesOf(text))).toEqual(events);
  });

  test('is the same wherever its bytes are parted, within letters too', () => {
    const bytes = Buffer.from('event: next\nid: ü\ndata: 👍 Noëlle\n\n:\n\nid: x\ndata: y\n\ndata: z\n\n');
    const whole = eventsOf([bytes]);
    expect(whole).toHaveLength(3);
    const places = fc.array(fc.nat(bytes.length), { maxLength: 8 });
    fc.assert(
      fc.property(places, (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        expect(eventsOf(chunks)).toEqual(whole);
      }),
    );
  });
});
