import type { FetchAPI } from 'graphql-yoga';
import type { Exchange, WrittenResponse } from '../request/exchange.ts';

/** Makes a Response. The gateway's own server sends what has been written, rather than read it from the Response. */
export function toResponse(
  written: WrittenResponse,
  exchange: Exchange,
  fetchAPI: Pick<FetchAPI, 'Response'>,
): Response {
  const { status, headers, body } = written;
  const response = new fetchAPI.Response(body, { status, headers });
  exchange.sent = { response, written };
  return response;
}
