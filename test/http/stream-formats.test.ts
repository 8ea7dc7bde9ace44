import { expect, test } from 'vitest';
import { STREAM_FORMATS } from '../../src/http/stream-formats.ts';

test.each([
  [
    'sse',
    'c1',
    ':\nid: c1\n\nevent: next\nid: c1\ndata: {"data":1}\n\n:\nid: c1\n\nevent: complete\nid: c1\ndata: \n\n',
  ],
  ['sse', undefined, ':\n\nevent: next\ndata: {"data":1}\n\n:\n\nevent: complete\ndata: \n\n'],
  [
    'multipart',
    'c1',
    '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{}' +
      '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{"payload":{"data":1}}' +
      '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{}' +
      '\r\n--graphql--\r\n',
  ],
] as const)('%s with the cursor %s is written', (type, cursor, text) => {
  const { start, heartbeat, around, end } = STREAM_FORMATS[type];
  const [before, after] = around(cursor);
  expect(
    [start, heartbeat(cursor), before, '{"data":1}', after, heartbeat(cursor), end(cursor)].join(''),
  ).toBe(text);
});
