import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import type { Bytes } from '../http/response-body.ts';
import type { GatewayContext } from '../request/context.ts';

/** Throws if the data is too long. */
export function jsonBody({ data, extensions }: ExecutionResult, context: GatewayContext): Bytes {
  const { size, publicErrors } = context;
  const errors = publicErrors?.map(({ visible }) => visible);
  if (!data) return Buffer.from(JSON.stringify({ errors, data, extensions }));
  const json = JSON.stringify(data);
  const start = errors ? `{"errors":${JSON.stringify(errors)},"data":` : '{"data":';
  const end = extensions ? `,"extensions":${JSON.stringify(extensions)}}` : '}';
  const body = Buffer.from(start + json + end);
  // A plugin may give data before there is a session.
  if (size?.isTooLong(body.length - start.length - end.length)) throw size.tooLong();
  return body;
}

/** The same for one of many results. */
export function resultJson(
  { data, extensions }: ExecutionResult,
  errors: readonly GraphQLFormattedError[] | undefined,
): Bytes {
  return Buffer.from(JSON.stringify({ errors, data, extensions }));
}

/** What a plugin says of the status and headers is not sent. */
export function withoutHttp(given: ExecutionResult): ExecutionResult {
  if (!given.extensions?.http) return given;
  const { extensions: { http: _http, ...extensions } = {}, ...result } = given;
  return Object.keys(extensions).length > 0 ? { ...result, extensions } : result;
}
