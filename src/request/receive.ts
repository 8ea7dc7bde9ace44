import { waitForStartBudget } from '../event-loop.ts';
import { readExportRequest } from '../export/export-request.ts';
import { badRequest, notAcceptable, overloaded } from '../http/errors.ts';
import { EVENT_STREAM, FILE_TYPES, JSON_TYPE, RESPONSE_JSON, readAccept } from '../http/negotiation.ts';
import type { OperationParams } from './context.ts';
import type { Exchange, ResponseForm } from './exchange.ts';
import { parseBody, parseParams, parseQueryString, receiveBody } from './params.ts';

const CLIENT_DISCONNECTED = overloaded('The client disconnected before its operation started.');
const JSON_ONLY = notAcceptable(
  `The response to an array of operations is an array. Accept ${JSON_TYPE} or ${RESPONSE_JSON}.`,
);
const NOT_ACCEPTABLE = notAcceptable(
  `No accepted media type is available. Accept ${RESPONSE_JSON}, ${JSON_TYPE} or ${EVENT_STREAM}, or for one list ${FILE_TYPES.join(' or ')}.`,
);

/**
 * Reads and parses a request within limits, negotiates the response and waits for slots; the body counts as memory
 * meanwhile. Returns the parameters of the operation, or the unchecked entries of an array.
 */
export async function receive(
  request: Request,
  exchange: Exchange,
): Promise<OperationParams | OperationParams[]> {
  const { cancellation, admission, isEstimate } = exchange;
  const { method, url } = request;
  const body = method === 'POST' ? await receiveBody(request, exchange) : undefined;
  const startTurn = waitForStartBudget((body ?? url).length);
  if (startTurn) await startTurn;
  // After the wait, no event reports a client that has already disconnected.
  if (cancellation.isAborted) throw CLIENT_DISCONNECTED;

  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const parsed = body ? parseBody(body) : parseQueryString(search);
  const form = negotiate(exchange, parsed, search);
  const params = Array.isArray(parsed) ? parsed : parseParams(parsed);
  const slotKind = form.kind === 'export' && !isEstimate ? 'exports' : 'operations';
  await admission.admit(slotKind, form.kind === 'array' ? form.length : 1);
  exchange.responseForm = form;
  return params;
}

/** Decides the form of the response, or throws if the request has no acceptable one. */
function negotiate(
  { host, headers, isEstimate, state }: Exchange,
  parsed: unknown,
  search: string,
): ResponseForm {
  const { endpoint, filePaths, maxBatch } = state;
  const { json, stream, file } = readAccept(headers.accept);
  // The path decides before `Accept`, because some tools cannot set headers.
  const format = filePaths[host.path] ?? file;
  // A client may request an estimate as a type that gateways without estimates reject.
  if (!format && !json && !stream && !isEstimate) throw NOT_ACCEPTABLE;
  if (Array.isArray(parsed)) {
    const { length } = parsed;
    if (maxBatch === 0 || host.path !== endpoint)
      throw badRequest('Arrays of operations are not supported here. Send one operation as a JSON object.');
    if (!json) throw JSON_ONLY;
    if (length === 0) throw badRequest('The array has no operations.');
    if (length > maxBatch)
      throw badRequest(
        `The array has more than ${maxBatch} operations. Send at most ${maxBatch} in one request.`,
      );
    return { kind: 'array', mediaType: json, length };
  }
  if (format) {
    if (headers['x-max-calls'] !== undefined)
      throw badRequest('`X-Max-Calls` does not limit exports. Limit their records with `first`.');
    // In this media type errors have statuses, so scripts can detect them.
    return { kind: 'export', mediaType: RESPONSE_JSON, request: readExportRequest(format, search) };
  }
  return stream ? { kind: 'stream', mediaType: json, streamType: stream } : { kind: 'json', mediaType: json };
}
