import { expect, test } from 'vitest';
import { createEventParser } from '../../examples/dashboard/src/live.ts';

test('the dashboard reads the same events of a stream however its bytes are split', () => {
  const text =
    ':\n\nevent: next\nid: c1\ndata: {"data":{"name":"Zoë: 1"}}\n\n:\n\n:\nid: c2\n\n' +
    'event: next\r\ndata: {"two":\r\ndata: "lines"}\r\n\r\nevent: complete\nid: c3\ndata: \n\n';
  for (const size of [1, 2, 3, 7, 50, text.length]) {
    const parse = createEventParser();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => parse(piece))).toEqual([
      { type: 'next', id: 'c1', data: '{"data":{"name":"Zoë: 1"}}' },
      { type: 'alive', id: 'c2', data: '' },
      { type: 'next', id: undefined, data: '{"two":\n"lines"}' },
      { type: 'complete', id: 'c3', data: '' },
    ]);
  }
});
