import { NO_STORE, VARY } from './errors.ts';
import { EVENT_STREAM, MULTIPART, type StreamType } from './negotiation.ts';

/** Keeps proxies from buffering, compressing or storing: nginx obeys `X-Accel-Buffering`, others `no-transform`. */
const HEADERS = {
  'cache-control': `${NO_STORE}, no-transform`,
  'x-accel-buffering': 'no',
  incremental: '?1',
  vary: VARY,
};

/** GraphQL over SSE, distinct connections. A browser's `EventSource` sends the `id` when it reconnects. */
const SSE_FORMAT = {
  headers: { 'content-type': `${EVENT_STREAM}; charset=utf-8`, ...HEADERS },
  start: '',
  // Keeps the connection alive. With its cursor a client can continue from here, even without an event.
  heartbeat: (cursor?: string) => `:\n${idLine(cursor)}\n`,
  result: (json: string, cursor?: string) => `event: next\n${idLine(cursor)}data: ${json}\n\n`,
  end: (cursor?: string) => `event: complete\n${idLine(cursor)}data: \n\n`,
};

function idLine(cursor: string | undefined): string {
  return cursor === undefined ? '' : `id: ${cursor}\n`;
}

/** Apollo's subscriptions. A boundary ends each part: otherwise clients would see it only with the next one. */
const BOUNDARY = 'graphql';
const DELIMITER = `\r\n--${BOUNDARY}`;
const PART_HEAD = '\r\ncontent-type: application/json\r\n\r\n';

const MULTIPART_FORMAT: typeof SSE_FORMAT = {
  headers: { 'content-type': `${MULTIPART};boundary="${BOUNDARY}";subscriptionSpec="1.0"`, ...HEADERS },
  start: DELIMITER,
  heartbeat: () => `${PART_HEAD}{}${DELIMITER}`,
  result: (json) => `${PART_HEAD}{"payload":${json}}${DELIMITER}`,
  end: () => '--\r\n',
};

export const STREAM_FORMATS: Readonly<Record<StreamType, typeof SSE_FORMAT>> = {
  sse: SSE_FORMAT,
  multipart: MULTIPART_FORMAT,
};
