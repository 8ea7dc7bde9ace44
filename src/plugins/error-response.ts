import type { FetchAPI } from 'graphql-yoga';
import { errorAnswer } from '../http/error-answer.ts';
import type { RequestError } from '../http/request-error.ts';
import type { GatewayContext } from './context.ts';
import { attachBody } from './response-body.ts';
import { serverTiming } from './server-timing.ts';

/** The response to a request that is refused before Yoga handles it as an operation. */
export function errorResponse(
  error: RequestError,
  request: Request,
  { observed, requestId }: Pick<GatewayContext, 'observed' | 'requestId'>,
  { Response }: FetchAPI,
): Response {
  observed.addCode(error.code);
  const { status, headers, body } = errorAnswer(error, requestId, request.headers.get('accept') ?? '');
  const response = new Response(body, {
    status,
    headers: { ...headers, 'server-timing': serverTiming(observed) },
  });
  attachBody(response, { pieces: [body], ownBytes: body.length });
  return response;
}
