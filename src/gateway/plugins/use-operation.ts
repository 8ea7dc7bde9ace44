import { turnToStart } from '../../event-loop.ts';
import { readExportRequest } from '../../export/export-request.ts';
import { notAcceptable, RequestError } from '../../http/errors.ts';
import { EVENT_STREAM, FILE_TYPES, JSON_TYPE, RESPONSE_JSON, readAccept } from '../../http/negotiation.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { requireDocument } from '../../request/documents.ts';
import {
  checkHeaders,
  entriesOf,
  paramsOf,
  parseBody,
  parseSearch,
  receiveBody,
} from '../../request/params.ts';
import { RunningOperation } from '../../request/running-operation.ts';
import { errorResponse } from '../../response/json-response.ts';
import { OperationLoaders } from '../../schema/fields/loaders.ts';
import type { GatewayState } from '../gateway-state.ts';

const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operation started.');
const NO_STREAM_OF_ARRAYS = notAcceptable(
  `An array of operations is answered by an array, as ${JSON_TYPE} or ${RESPONSE_JSON}.`,
);
const NO_SUCH_ANSWER = notAcceptable(
  `Answers come as ${RESPONSE_JSON}, ${JSON_TYPE} or ${EVENT_STREAM}, and one list as ${FILE_TYPES.join(' or ')}.`,
);

/**
 * Around all that handles an operation, plugins of users included: it is received, faults are answered, whose stack Yoga
 * would send, and whatever was begun for it ends. Yoga does not call `onResponse` once anything throws. What Yoga itself
 * does with requests behind this, `useRequest` has done: it knows one path alone.
 */
export function useOperation(state: GatewayState): GatewayPlugin {
  const hasGraphiql = state.routes.length > 0 && !state.trustedDocuments;
  return {
    async onRequest({ request, serverContext, requestHandler, endResponse, fetchAPI }) {
      // Kept here, since a plugin may change the context.
      let running: RunningOperation | undefined;
      try {
        running = begin(request, serverContext, state);
        await receive(request, serverContext, state);
        endResponse(await requestHandler(request, serverContext));
      } catch (error) {
        endResponse(errorResponse(error, serverContext, fetchAPI));
      } finally {
        if (!serverContext.streamed) running?.end();
      }
    },
    // Plugins of users may have found a document.
    onParams: ({ params }) => requireDocument(params, hasGraphiql),
  };
}

/** Checks the headers of an operation, and finds out whose it is. It is aborted when its client leaves. */
function begin(request: Request, context: GatewayContext, state: GatewayState): RunningOperation {
  const { headers, client, address, observed } = context;
  observed.isOperation = true;
  checkHeaders(request.method, headers);
  const credentials = credentialsOf(headers, state.ownAuthorization);
  const owner = state.ownerOf(credentials, address);
  const running = new RunningOperation(state, headers, observed, credentials, owner);
  context.running = running;
  const abort = () => running.cancellation.abort('closed');
  if (client) client.onLeft.push(abort);
  else {
    const { signal } = request;
    signal.addEventListener('abort', abort);
    running.endings.push(() => signal.removeEventListener('abort', abort));
  }
  return running;
}

/** Reads and parses the body of an operation within limits. It takes a place, and gets access to the REST service. */
async function receive(request: Request, context: GatewayContext, state: GatewayState): Promise<void> {
  const { headers, path, client, observed, running } = context;
  const { method, url } = request;
  const body = method === 'POST' ? await receiveBody(request, context) : undefined;
  const turn = turnToStart((body ?? url).length);
  if (turn) await turn;
  // It may have left meanwhile; then nothing tells of it any more.
  if (client ? client.cutBy : request.signal.aborted) throw LEFT;

  const accepted = readAccept(headers.accept);
  // By the path, or else by `Accept`: a tool that sets no headers may send any.
  const asked = state.filePaths[path] ?? accepted.file;
  if (!asked && !accepted.json && !accepted.stream) throw NO_SUCH_ANSWER;
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const given = body ? parseBody(body) : parseSearch(search);
  if (Array.isArray(given) && state.maxBatch > 0 && path === state.endpoint) {
    if (!accepted.json) throw NO_STREAM_OF_ARRAYS;
    const entries = entriesOf(given, state.maxBatch);
    context.array = { entries, contexts: [] };
    // Each operation of it is observed by itself.
    observed.isOperation = false;
    running.startDeadline('operations');
    return running.acquireSlots('operations', entries.length);
  }
  const kind = asked ? 'exports' : 'operations';
  running.startDeadline(kind);
  await running.acquireSlots(kind);
  // Errors of an export have statuses, by which scripts tell them from its rows.
  if (asked) context.mediaType = RESPONSE_JSON;
  if (asked) context.exported = readExportRequest(asked, search);
  startOperation(context, state);
  context.params = paramsOf(given);
  if (!asked) context.streamType = accepted.stream;
}

/** Gives an operation access to the REST service, and resolvers what they read by. */
function startOperation(context: GatewayContext, { maxFirst, textOrder }: GatewayState): void {
  const { running, array } = context;
  running.start(array?.entries.length);
  context.rest = running.rest;
  context.loaders = new OperationLoaders(running.rest);
  context.maxFirst = maxFirst;
  context.textOrder = textOrder;
}

/** Begins an operation of an array, with limits and a line in the log of its own. Its slot is one of the array's. */
export function startEntry(context: GatewayContext, state: GatewayState): void {
  const { headers, client, running: ofRequest } = context;
  const { telemetry } = state;
  const observed = telemetry.begin(headers, context.observed.line.requestId);
  observed.isOperation = true;
  const running = new RunningOperation(state, headers, observed, ofRequest.credentials, ofRequest.owner);
  running.cancellation.follow(ofRequest.cancellation);
  ofRequest.endings.push(() => {
    running.end();
    // It has no request of its own.
    telemetry.end(observed, undefined, observed.line.status, client?.cutBy);
  });
  context.observed = observed;
  context.running = running;
  startOperation(context, state);
}
