import { waitForStartBudget } from '../event-loop.ts';
import { readExportRequest } from '../export/export-request.ts';
import { badRequest, notAcceptable, overloaded } from '../http/errors.ts';
import { EVENT_STREAM, FILE_TYPES, JSON_TYPE, RESPONSE_JSON, readAccept } from '../http/negotiation.ts';
import type { OperationParams } from './context.ts';
import type { Exchange } from './exchange.ts';
import { checkBatchSize, parseBody, parseParams, parseQueryString, receiveBody } from './params.ts';

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
  const { headers, path, observation, cancellation, admission } = exchange;
  const { endpoint, filePaths, maxBatch } = exchange.shared;
  const { method, url } = request;
  const body = method === 'POST' ? await receiveBody(request, exchange) : undefined;
  const startTurn = waitForStartBudget((body ?? url).length);
  if (startTurn) await startTurn;
  // After the wait, no event reports a client that has already disconnected.
  if (cancellation.isAborted) throw CLIENT_DISCONNECTED;

  const accepted = readAccept(headers.accept);
  // The path decides before `Accept`, because some tools cannot set headers.
  const format = filePaths[path] ?? accepted.file;
  // A client may request an estimate as a type that gateways without estimates reject.
  if (!format && !accepted.json && !accepted.stream && !exchange.isEstimate) throw NOT_ACCEPTABLE;
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const parsed = body ? parseBody(body) : parseQueryString(search);
  if (Array.isArray(parsed) && maxBatch > 0 && path === endpoint) {
    if (!accepted.json) throw JSON_ONLY;
    const entries = checkBatchSize(parsed, maxBatch);
    exchange.responseForm = { mediaType: accepted.json, arrayLength: entries.length };
    // Each operation has its own observation.
    observation.isOperation = false;
    await admission.admit('operations', entries.length);
    return entries;
  }
  if (format && headers['x-max-calls'] !== undefined)
    throw badRequest('`X-Max-Calls` does not limit exports. Limit their rows with `first`.');
  await admission.admit(format && !exchange.isEstimate ? 'exports' : 'operations');
  if (format) {
    // In this media type errors have statuses, so scripts can detect them.
    const mediaType = RESPONSE_JSON;
    exchange.responseForm = { mediaType };
    exchange.responseForm = { mediaType, file: readExportRequest(format, search) };
    return parseParams(parsed);
  }
  const params = parseParams(parsed);
  exchange.responseForm = { mediaType: accepted.json, streamType: accepted.stream };
  return params;
}
