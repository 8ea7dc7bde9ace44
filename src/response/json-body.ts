import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { stringifyLarge } from '../execution/stringify.ts';
import type { Bytes } from '../http/response-body.ts';
import type { GatewayContext } from '../request/context.ts';
import { DECODED_TEXT, type TextCodec, WIRE_TEXT } from '../rest/wire-text.ts';

/** Shorter data is copied into one buffer with the text around it: one write is faster than three. */
const MAX_COPIED_BYTES = 16_000;

/** Throws, or rejects, if the response is too long, or if it is aborted while it is written. */
export function jsonBody(result: ExecutionResult, context: GatewayContext): Bytes[] | Promise<Bytes[]> {
  const { data, extensions } = result;
  const errors = context.publicErrors?.map(({ visible }) => visible);
  if (!data) return [Buffer.from(JSON.stringify({ errors, data, extensions }))];
  const { executed, budget, holding, keepJson } = context;
  // A plugin may give data before there is a session.
  const { text } = context.rest ?? { text: DECODED_TEXT };
  const [start, end] = textAround(errors, extensions, text);
  const encode = (json: string) => Buffer.from(json, text.encoding);
  // Only the data that the plan led to has its shape: a plugin may have put other data in its place.
  const planned = executed?.data === data ? executed.planned : undefined;
  if (planned && budget.isLarge) {
    const hold = (bytes: number) => holding.add(bytes);
    return stringifyLarge(data, budget, { encode, hold }).then((chunks) => [
      encode(start),
      ...chunks,
      encode(end),
    ]);
  }
  const json = JSON.stringify(data);
  const body = text.encoding === 'latin1' ? latin1Of(start, json, end) : encode(start + json + end);
  // The data of a mutation fits already.
  if (budget && !budget.isProtected) budget.checkJsonLength(body.length - start.length - end.length);
  if (planned && executed && !errors) keepJson?.(json, executed);
  return [body];
}

/** As one buffer. To join the texts first would take as much memory again. */
function latin1Of(start: string, json: string, end: string): Bytes {
  const bytes = Buffer.allocUnsafe(start.length + json.length + end.length);
  bytes.write(start, 0, 'latin1');
  bytes.write(json, start.length, 'latin1');
  bytes.write(end, start.length + json.length, 'latin1');
  return bytes;
}

/** The same for one of many results, which a plan knows nothing of. */
export function resultJson(
  { data, extensions }: ExecutionResult,
  errors: readonly GraphQLFormattedError[] | undefined,
  text: TextCodec,
): Bytes {
  if (!data) return Buffer.from(JSON.stringify({ data, errors, extensions }));
  const [start, end] = textAround(errors, extensions, text);
  return Buffer.from(start + JSON.stringify(data) + end, text.encoding);
}

/** What a plugin says of the status and headers is not sent. */
export function withoutHttp(given: ExecutionResult): ExecutionResult {
  if (!given.extensions?.http) return given;
  const { extensions: { http: _http, ...extensions } = {}, ...result } = given;
  return Object.keys(extensions).length > 0 ? { ...result, extensions } : result;
}

/** The same for data that is JSON already. */
export function jsonBodyAround(data: Bytes, extensions: object | undefined): Bytes[] {
  const [start, end] = textAround(undefined, extensions, WIRE_TEXT);
  const pieces = [Buffer.from(start, 'latin1'), data, Buffer.from(end, 'latin1')];
  return data.length > MAX_COPIED_BYTES ? pieces : [Buffer.concat(pieces)];
}

function textAround(
  errors: readonly GraphQLFormattedError[] | undefined,
  extensions: object | undefined,
  text: TextCodec,
) {
  const start = errors ? `{"errors":${JSON.stringify(errors)},"data":` : '{"data":';
  const end = extensions ? `,"extensions":${JSON.stringify(extensions)}}` : '}';
  return [String(text.encode(start)), String(text.encode(end))] as const;
}
