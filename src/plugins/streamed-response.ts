import type { FetchAPI } from 'graphql-yoga';
import type { GatewayContext } from './context.ts';
import { attachStream, type BodyStream, type StreamedBody } from './response-body.ts';

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
  const response = new Response(webStream(body.stream, context), { headers });
  attachStream(response, body);
  context.streamed = response;
  return response;
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
  // Perhaps nobody ever reads it.
  context.cancellation.onAbort(end);
  return (async function* () {
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

/** A body that has been made, in pieces, for other servers than the guard. */
export function webStreamOf(
  pieces: readonly Buffer[],
  Stream: FetchAPI['ReadableStream'],
): ReadableStream<Buffer> {
  return new Stream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
