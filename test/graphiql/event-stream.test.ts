import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../src/graphiql/send.ts';
import type { ServerSentEvent } from '../../src/http/server-sent-events.ts';
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

const EVENTS: ServerSentEvent[] = [
  { event: 'next', id: 'c1', data: '{"data":{"name":"Zoë: 1"}}' },
  { id: 'c2' },
  { event: 'next', data: '{"two":\n"lines"}' },
  { data: 'no space' },
  { event: 'complete', id: 'c3', data: '' },
];

describe('a stream of Server-Sent Events', () => {
  test('is read the same in whatever pieces it comes, characters cut in two among them', async () => {
    const bytes = new TextEncoder().encode(STREAM);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }));
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.toSorted((one, other) => one - other), bytes.length];
        const pieces = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
        const read: ServerSentEvent[] = [];
        for await (const events of readEvents(streamOf(pieces))) read.push(...events);
        expect(read).toEqual(EVENTS);
      }),
      { numRuns: casesOf({ short: 40, long: 200 }) },
    );
  });

  test('is ended by whoever stops reading it', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel() {
        isCancelled = true;
      },
    });
    for await (const _events of readEvents(body)) break;
    await expect.poll(() => isCancelled).toBe(true);
  });
});

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
