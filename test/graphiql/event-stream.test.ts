import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventParser, readEvents, type ServerEvent } from '../../src/graphiql/send.ts';
import { casesOf } from '../support/search.ts';

const STREAM = [
  ':\n\n',
  'event: next\nid: c1\ndata: {"data":{"name":"Zoë: 1"}}\n\n',
  ':\nid: c2\n\n',
  'event: next\r\ndata: {"two":\r\ndata: "lines"}\r\n\r\n',
  'data:no space\n\n',
  'retry: 5\n\n',
  'event: complete\nid: c3\ndata: \n\n',
].join('');

const EVENTS: ServerEvent[] = [
  { type: 'next', id: 'c1', data: '{"data":{"name":"Zoë: 1"}}' },
  { type: 'alive', id: 'c2', data: '' },
  { type: 'next', id: undefined, data: '{"two":\n"lines"}' },
  { type: 'message', id: undefined, data: 'no space' },
  { type: 'complete', id: 'c3', data: '' },
];

describe('a stream of Server-Sent Events', () => {
  test('is read as its events, without comments and what has no data', () => {
    expect(createEventParser()(STREAM)).toEqual(EVENTS);
  });

  test('is read the same in whatever pieces it comes, characters cut in two among them', async () => {
    const bytes = new TextEncoder().encode(STREAM);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }));
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.toSorted((one, other) => one - other), bytes.length];
        const pieces = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
        const read: ServerEvent[] = [];
        let count = 0;
        for await (const events of readEvents(streamOf(pieces))) {
          count += 1;
          read.push(...events);
        }
        expect(read).toEqual(EVENTS);
        // A piece without an event is a sign of life; one that holds half a character is none yet.
        expect(count).toBeLessThanOrEqual(pieces.length);
      }),
      { numRuns: casesOf({ short: 40, long: 200 }) },
    );
  });

  test('tells what is not finished to nobody', () => {
    const parse = createEventParser();
    expect(parse('event: next\ndata: {}')).toEqual([]);
    expect(parse('\n')).toEqual([]);
    expect(parse('\n')).toEqual([{ type: 'next', id: undefined, data: '{}' }]);
  });

  test('is ended by whoever stops reading it', async () => {
    let isCancelled = false;
    const body = new ReadableStream<BufferSource>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel() {
        isCancelled = true;
      },
    });
    for await (const _events of readEvents(body)) break;
    await expect.poll(() => isCancelled).toBe(true);
  });
});

function streamOf(pieces: readonly BufferSource[]): ReadableStream<BufferSource> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
