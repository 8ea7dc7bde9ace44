import { attachBody, type BodyStream } from '../http/response-body.ts';
import type { GatewayContext } from '../request/context.ts';

interface StreamInit {
  readonly headers: Record<string, string>;
  /** Whether it may be compressed on its way, which takes some 260 kB for as long as it lasts. */
  readonly isCompressible: boolean;
  readonly onEnd?: () => unknown;
}

/**
 * A response whose body is made while it is sent, by the gateway's own server or by another. Of Node's own classes:
 * Yoga's stream ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws,
 * where nobody can catch it, if it is cancelled while it is waited for. What belongs to the request goes on until the
 * body has ended, or nobody waits for it any more.
 */
export function streamedResponse(body: BodyStream, init: StreamInit, context: GatewayContext): Response {
  const { headers, isCompressible, onEnd } = init;
  const { cancellation, observed } = context;
  let end = () => {};
  let isRead = false;
  const stream = (async function* () {
    isRead = true;
    try {
      for await (const bytes of body) {
        observed.bytes += bytes.length;
        yield bytes;
      }
    } finally {
      try {
        await onEnd?.();
      } finally {
        end();
      }
    }
  })();
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Perhaps nobody ever reads it. Else it is held until it has ended.
  cancellation.onAbort(() => {
    if (!isRead) end();
  });
  const response = new Response(webStream(stream, context), { headers });
  context.streamed = { body: response.body, ended };
  return attachBody(response, { stream, isCompressible });
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
