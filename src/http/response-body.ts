export type Bytes = Buffer<ArrayBuffer>;

/** The body of a response as it was made, for the gateway's own server, which may compress it. */
export interface ResponseBody {
  readonly pieces: readonly Buffer[];
  /** How much of it was made for this response alone: its memory counts until it has been sent. */
  readonly ownBytes: number;
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

export function streamOf(response: Response): StreamedBody | undefined {
  const body = bodies.get(response);
  return body && 'stream' in body ? body : undefined;
}

export function bodyOf(response: Response): ResponseBody | undefined {
  const body = bodies.get(response);
  return body && 'pieces' in body ? body : undefined;
}

export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
