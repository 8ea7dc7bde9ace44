import { waitForStartBudget } from '../event-loop.ts';
import { readExportRequest } from '../export/export-request.ts';
import { badRequest, notAcceptable, RequestError } from '../http/errors.ts';
import { EVENT_STREAM, FILE_TYPES, JSON_TYPE, RESPONSE_JSON, readAccept } from '../http/negotiation.ts';
import type { OperationParams } from './context.ts';
import type { Exchange } from './exchange.ts';
import { checkBatchSize, parseBody, parseParams, parseQueryString, receiveBody } from './params.ts';

const CLIENT_DISCONNECTED = new RequestError(
  503,
  'OVERLOADED',
  'The client left before its operation started.',
);
const NO_STREAM_OF_ARRAYS = notAcceptable(
  `An array of operations is answered by an array, as ${JSON_TYPE} or ${RESPONSE_JSON}.`,
);
const NO_SUCH_ANSWER = notAcceptable(
  `Answers come as ${RESPONSE_JSON}, ${JSON_TYPE} or ${EVENT_STREAM}, and one list as ${FILE_TYPES.join(' or ')}.`,
);

/**
 * Reads and parses a request within limits, and acquires its slots: nothing runs before. Its body stays counted while it
 * waits for them. Returns the parameters of its operation, or the entries of an array, which are still to be checked.
 */
export async function receive(
  request: Request,
  exchange: Exchange,
): Promise<OperationParams | OperationParams[]> {
  const { headers, path, observation, cancellation, admission } = exchange;
  const { endpoint, filePaths, maxBatch } = exchange.shared;
  const { method, url } = request;
  const body = method === 'POST' ? await receiveBody(request, exchange) : undefined;
  const turn = waitForStartBudget((body ?? url).length);
  if (turn) await turn;
  // It may have left meanwhile; then nothing tells of it any more.
  if (cancellation.isAborted) throw CLIENT_DISCONNECTED;

  const accepted = readAccept(headers.accept);
  // By the path, or else by `Accept`: a tool that sets no headers may send any.
  const format = filePaths[path] ?? accepted.file;
  // A client may ask for an estimate as a type that no gateway has: one that knows no estimates then refuses to execute.
  if (!format && !accepted.json && !accepted.stream && !exchange.isEstimate) throw NO_SUCH_ANSWER;
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const given = body ? parseBody(body) : parseQueryString(search);
  if (Array.isArray(given) && maxBatch > 0 && path === endpoint) {
    if (!accepted.json) throw NO_STREAM_OF_ARRAYS;
    const entries = checkBatchSize(given, maxBatch);
    exchange.form = { mediaType: accepted.json, arrayLength: entries.length };
    // Each operation of it is observed by itself.
    observation.isOperation = false;
    await admission.admit('operations', entries.length);
    return entries;
  }
  if (format && headers['x-max-calls'] !== undefined)
    throw badRequest('`X-Max-Calls` does not limit exports: limit them by `first`.');
  await admission.admit(format && !exchange.isEstimate ? 'exports' : 'operations');
  if (format) {
    // Errors of an export have statuses, by which scripts tell them from its rows.
    const mediaType = RESPONSE_JSON;
    exchange.form = { mediaType };
    exchange.form = { mediaType, file: readExportRequest(format, search) };
    return parseParams(given);
  }
  const params = parseParams(given);
  exchange.form = { mediaType: accepted.json, streamType: accepted.stream };
  return params;
}
