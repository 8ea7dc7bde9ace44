import type { FetchAPI } from 'graphql-yoga';
import { VARY } from '../http/errors.ts';
import type { StreamType } from '../http/negotiation.ts';
import {
  attachBody,
  type BodyStream,
  type Bytes,
  lengthOf,
  type ResponseBody,
  type StreamedBody,
} from '../http/response-body.ts';
import { STREAM_FORMATS, streamHeaders } from '../http/stream-formats.ts';
import type { GatewayContext } from '../request/context.ts';

/**
 * A response whose body is made while it is sent, by the guard or by another server. Of Node's own classes: Yoga's stream
 * ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws, where nobody
 * can catch it, if it is cancelled while it is waited for.
 */
export function streamedResponse(
  body: StreamedBody,
  headers: Record<string, string>,
  context: GatewayContext,
): Response {
  context.streamed = attachBody(new Response(webStream(body.stream, context), { headers }), body);
  return context.streamed;
}

/** A plugin may have put another response in the place of this one, or failed: then nobody reads it. */
export function endUnread(sent: Response, { streamed, cancellation }: GatewayContext): void {
  if (streamed === undefined || sent === streamed) return;
  const { body } = streamed;
  if (body !== sent.body && body?.locked !== true) cancellation.abort('closed');
}

/** For other servers than the guard. */
function webStream(stream: BodyStream, { res, cancellation }: GatewayContext): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await stream.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // Yoga pipes the body, and would neither close the connection nor handle the error.
          if (res) res.destroy();
          else controller.error(error);
        }
      },
      async cancel() {
        cancellation.abort('closed');
        await stream.return();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

/** What belongs to the request goes on until the body has ended, or nobody waits for it any more. */
export function lastingUntil(
  body: BodyStream,
  context: GatewayContext,
  onEnd: () => unknown = () => {},
): BodyStream {
  let end = () => {};
  context.streaming = new Promise((resolve) => {
    end = resolve;
  });
  let isRead = false;
  // Perhaps nobody ever reads it. Else it is held until it has ended.
  context.cancellation.onAbort(() => {
    if (!isRead) end();
  });
  return (async function* () {
    isRead = true;
    try {
      yield* body;
    } finally {
      try {
        await onEnd();
      } finally {
        end();
      }
    }
  })();
}

/** A response whose body has been made; for other servers than the guard, several pieces are a stream. */
export function madeResponse(
  body: ResponseBody & { readonly pieces: readonly Bytes[] },
  init: ResponseInit,
  { Response, ReadableStream }: FetchAPI,
): Response {
  const { pieces } = body;
  const [only] = pieces;
  const stream = () =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  return attachBody(new Response(pieces.length === 1 ? only : stream(), init), body);
}

/** Statuses of what keeps a request from being an operation, or says that it may be sent again. */
const REFUSALS = [405, 406, 413, 415, 503];

/** Where a client takes streams alone, an operation's result is sent as one; a refusal has a status, and is JSON. */
export function streamTypeFor(
  status: number,
  { takesStreamsOnly, streamType, hasParams }: GatewayContext,
): StreamType | undefined {
  return takesStreamsOnly && hasParams && !REFUSALS.includes(status) ? streamType : undefined;
}

export function streamOfOne(
  json: readonly Bytes[],
  type: StreamType,
  headers: HeadersInit | undefined,
  { observed }: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const { start, around, end } = STREAM_FORMATS[type];
  const [before, after] = around(undefined);
  const pieces = [Buffer.from(start + before), ...json, Buffer.from(after + end(undefined))];
  const bytes = lengthOf(pieces);
  observed.bytes = bytes;
  const all = { ...streamHeaders(type), vary: VARY, ...headers };
  return madeResponse({ pieces, ownBytes: bytes }, { headers: all }, fetchAPI);
}
