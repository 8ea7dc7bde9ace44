import type { GatewayContext } from '../request/context.ts';

/** A body that is made while it is sent. */
export type BodyStream = AsyncGenerator<Buffer, void, undefined>;

/** What the gateway's own server knows of a body, beside the response. */
interface ResponseBody {
  /** As it was made; a stream is read from the response. */
  readonly whole?: string | Buffer;
  /** Whether it may be compressed; a stream then takes some 260 kB for as long as it lasts. */
  readonly isCompressible?: boolean;
  /** A page is kept for all. The memory of any other whole body counts until it has been sent. */
  readonly isPage?: boolean;
}

const BODY = Symbol('body');

/** A plugin may put another response in the place of this one, so the body belongs to it and not to the request. */
export function attachBody<Made extends Response>(response: Made, body: ResponseBody): Made {
  return Object.assign(response, { [BODY]: body });
}

/** Not by a WeakMap, whose entries live longer than most responses. */
export function bodyOf(response: Response & { readonly [BODY]?: ResponseBody }): ResponseBody | undefined {
  return response[BODY];
}

/** Often enough for every proxy that closes idle connections: most do after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

/**
 * A response whose body is made while it is sent, part by part, with a heartbeat while none comes. Of Node's own classes:
 * Yoga's stream ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws,
 * where nobody can catch it, if it is cancelled while it is waited for. What belongs to the request goes on until the
 * body has ended, or its client has left.
 */
export function streamedResponse(
  parts: BodyStream,
  headers: Record<string, string>,
  context: GatewayContext,
  heartbeat?: () => string,
): Response {
  const { res, observed } = context;
  const { cancellation } = context.running;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = () => parts.return().then(end, end);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const send = (bytes: Buffer) => {
        observed.line.bytes += bytes.length;
        controller.enqueue(bytes);
      };
      const timer = setTimeout(() => {
        // Unless the last one was not read either, or nobody reads any more.
        const isAwaited = controller.desiredSize === 0 && !cancellation.isAborted;
        if (heartbeat && isAwaited) send(Buffer.from(heartbeat()));
        timer.refresh();
      }, HEARTBEAT_MS);
      try {
        const { value, done } = await parts.next();
        if (!done) return send(value);
        end();
        controller.close();
      } catch (error) {
        end();
        // Yoga pipes the body, and would neither close the connection nor handle the error.
        if (res) res.destroy();
        else controller.error(error);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel() {
      cancellation.abort('closed');
      return stop();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 });
  // Else whoever reads it is told why.
  cancellation.onAbort(() => {
    if (cancellation.reason === 'closed' || !body.locked) void stop();
  });
  context.streamed = { body, ended };
  return attachBody(new Response(body, { headers }), { isCompressible: heartbeat === undefined });
}
