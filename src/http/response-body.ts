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

export interface StreamedBody {
  readonly stream: BodyStream;
  /** Whether it may be compressed on its way, which takes some 260 kB for as long as it lasts. */
  readonly isCompressible: boolean;
}

const bodies = new WeakMap<Response, ResponseBody | StreamedBody>();

/** A plugin may put another response in the place of this one, so the body belongs to it and not to the request. */
export function attachBody<Made extends Response>(response: Made, body: ResponseBody | StreamedBody): Made {
  bodies.set(response, body);
  return response;
}

export function bodyOf(response: Response): ResponseBody | StreamedBody | undefined {
  return bodies.get(response);
}
