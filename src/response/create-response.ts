import type { FetchAPI } from 'graphql-yoga';

/** The parts of a Response. The gateway's own server sends them directly, which is faster than reading the Response. */
export interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is written while it is sent; its exchange ends with it. */
  readonly body: string | Buffer<ArrayBuffer> | ReadableStream;
  /** False for live streams: compressing one takes 260 kB for as long as it is open. */
  readonly isCompressible: boolean;
}

export function createResponse(
  written: WrittenResponse,
  { Response }: Pick<FetchAPI, 'Response'>,
): Response & { readonly written: WrittenResponse } {
  const { status, headers, body } = written;
  return Object.assign(new Response(body, { status, headers }), { written });
}

/** Returns the parts of a response of the gateway, or undefined for one of a plugin. */
export function getWritten(response: Response & { readonly written?: WrittenResponse }) {
  return response.written;
}
