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
