import type { GatewayContext } from '../request/context.ts';

/** A body that is made while it is sent. */
export type BodyStream = AsyncGenerator<Buffer, void, undefined>;

/** The body of a response as it was made, for the gateway's own server. */
type ResponseBody = {
  /** Whether it may be compressed while it is sent; a stream then takes some 260 kB for as long as it lasts. */
  readonly isCompressible?: boolean;
} & (
  | {
      readonly whole: string | Buffer;
      /** A page is kept for all. The memory of any other body counts until it has been sent. */
      readonly isPage?: boolean;
    }
  | { readonly stream: BodyStream }
);

const BODY = Symbol('body');

/** Node writes a text in one go with its headers, and copies both for that: of a longer one, that takes more time. */
const MAX_TEXT_LENGTH = 8_000;

export function bodyOfText(text: string): string | Buffer<ArrayBuffer> {
  return text.length > MAX_TEXT_LENGTH ? Buffer.from(text) : text;
}

/** A plugin may put another response in the place of this one, so the body belongs to it and not to the request. */
export function attachBody<Made extends Response>(response: Made, body: ResponseBody): Made {
  return Object.assign(response, { [BODY]: body });
}

/** Not by a WeakMap, whose entries live longer than most responses. */
export function bodyOf(response: Response & { readonly [BODY]?: ResponseBody }): ResponseBody | undefined {
  return response[BODY];
}

/**
 * A response whose body is made while it is sent, by the gateway's own server or by another. Of Node's own classes:
 * Yoga's stream ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws,
 * where nobody can catch it, if it is cancelled while it is waited for. What belongs to the request goes on until the
 * body has ended, or nobody waits for it any more.
 */
export function streamedResponse(
  body: BodyStream,
  headers: Record<string, string>,
  isCompressible: boolean,
  context: GatewayContext,
): Response {
  const { cancellation, observed } = context;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isRead = false;
  const stream = (async function* () {
    isRead = true;
    try {
      for await (const bytes of body) {
        observed.line.bytes += bytes.length;
        yield bytes;
      }
    } finally {
      end();
    }
  })();
  // Perhaps nobody ever reads it. Else it is held until it has ended.
  cancellation.onAbort(() => {
    if (!isRead) end();
  });
  const response = new Response(webStream(stream, context), { headers });
  context.streamed = { body: response.body, ended };
  return attachBody(response, { stream, isCompressible });
}

/** For other servers than the gateway's own. Nothing is read ahead. */
function webStream(stream: BodyStream, { res, cancellation }: GatewayContext): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
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
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
