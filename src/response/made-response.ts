import type { FetchAPI } from 'graphql-yoga';
import { attachBody, type BodyStream, type ResponseBody, type StreamedBody } from '../http/response-body.ts';
import type { GatewayContext } from '../request/context.ts';

/** A response whose body has been made. */
export function madeResponse(
  body: ResponseBody & { readonly bytes: Buffer<ArrayBuffer> },
  init: ResponseInit,
  { Response }: FetchAPI,
): Response {
  return attachBody(new Response(body.bytes, init), body);
}

/**
 * A response whose body is made while it is sent, by the gateway's own server or by another. Of Node's own classes:
 * Yoga's stream ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws,
 * where nobody can catch it, if it is cancelled while it is waited for.
 */
export function streamedResponse(
  body: StreamedBody,
  headers: Record<string, string>,
  context: GatewayContext,
): Response {
  return attachBody(new Response(webStream(body.stream, context), { headers }), body);
}

/** For other servers than the gateway's own. */
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
