/** The body of a response as it was made, for the gateway's own server, which may compress it. */
export interface ResponseBody {
  readonly bytes: Buffer;
  /** Whether it was made for this response alone: then its memory counts until it has been sent. */
  readonly isOwn: boolean;
  /** Whether it may be compressed while it is sent; what is compressed already, or never, is sent as it is. */
  readonly isCompressible?: boolean;
}

/** A body that is made while it is sent. */
export type BodyStream = AsyncGenerator<Buffer, void, undefined>;

interface StreamedBody {
  readonly stream: BodyStream;
  readonly isCompressible: boolean;
}

const BODY = Symbol('body');

/** A response with what its body was made of. Not by a WeakMap, whose entries live longer than most responses. */
interface MadeResponse extends Response {
  readonly [BODY]?: ResponseBody | StreamedBody;
}

/** A plugin may put another response in the place of this one, so the body belongs to it and not to the request. */
export function attachBody<Made extends Response>(response: Made, body: ResponseBody | StreamedBody): Made {
  return Object.assign(response, { [BODY]: body });
}

export function bodyOf(response: MadeResponse): ResponseBody | StreamedBody | undefined {
  return response[BODY];
}
