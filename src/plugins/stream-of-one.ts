import type { FetchAPI } from 'graphql-yoga';
import { VARY } from '../http/error-answer.ts';
import type { StreamType } from '../http/negotiation.ts';
import { STREAM_FORMATS, streamHeaders } from '../http/stream-formats.ts';
import type { GatewayContext } from './context.ts';
import { attachBody, type Bytes } from './response-body.ts';
import { webStreamOf } from './streamed-response.ts';

/** Statuses of what keeps a request from being an operation, or says that it may be sent again. */
const REFUSALS = [405, 406, 413, 415, 503];

/**
 * How a single result is sent to a client that takes nothing but streams; undefined to send it as JSON. What an
 * operation came to is told in the stream; what kept it from being one is told by the status.
 */
export function streamTypeFor(
  status: number,
  { takesStreamsOnly, streamType, hasParams }: GatewayContext,
): StreamType | undefined {
  return takesStreamsOnly && hasParams && !REFUSALS.includes(status) ? streamType : undefined;
}

/** The response, and the JSON of its result. */
export function streamOfOne(
  json: readonly Bytes[],
  type: StreamType,
  headers: HeadersInit | undefined,
  { observed }: GatewayContext,
  { Response, ReadableStream }: Pick<FetchAPI, 'Response' | 'ReadableStream'>,
): Response {
  const { start, around, end } = STREAM_FORMATS[type];
  const [before, after] = around(undefined);
  const pieces = [Buffer.from(start + before), ...json, Buffer.from(after + end(undefined))];
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  observed.bytes = bytes;
  const response = new Response(webStreamOf(pieces, ReadableStream), {
    headers: { ...streamHeaders(type), vary: VARY, ...headers },
  });
  attachBody(response, { pieces, ownBytes: bytes });
  return response;
}
