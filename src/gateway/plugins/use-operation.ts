import { readExportRequest } from '../../export/export-request.ts';
import { notAcceptable, RequestError } from '../../http/errors.ts';
import { EVENT_STREAM, FILE_TYPES, JSON_TYPE, RESPONSE_JSON, readAccept } from '../../http/negotiation.ts';
import { turnToStart } from '../../limits/turns.ts';
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
import { errorResponse } from '../../response/json-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { cancelWithClient, holdFor, startSession, takePlace } from '../sessions.ts';

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
      const { endings } = serverContext;
      try {
        await receive(request, serverContext, state);
        endResponse(await requestHandler(request, serverContext));
      } catch (error) {
        endResponse(errorResponse(error, serverContext, fetchAPI));
      } finally {
        const { streamed } = serverContext;
        const endAll = () => {
          for (const end of endings.toReversed()) end();
        };
        if (streamed) void streamed.ended.then(endAll);
        else endAll();
      }
    },
    // Plugins of users may have found a document.
    onParams: ({ params }) => requireDocument(params, hasGraphiql),
  };
}

/**
 * Receives an operation: its headers are checked, its body is read and parsed within limits, and it takes a place and gets
 * a session with the REST service.
 */
async function receive(request: Request, context: GatewayContext, state: GatewayState): Promise<void> {
  const { headers, path, client, req, observed } = context;
  const { method, url } = request;
  observed.isOperation = true;
  checkHeaders(method, headers);
  context.credentials = credentialsOf(headers, state.ownAuthorization);
  context.owner = state.ownerOf(context.credentials, client?.address ?? req?.socket?.remoteAddress);
  context.holding = holdFor(context, state);
  const body = method === 'POST' ? await receiveBody(request, context) : undefined;
  const turn = turnToStart((body ?? url).length);
  if (turn) await turn;
  // It may have left meanwhile; then nothing tells of it any more.
  if (client ? client.cutBy : request.signal.aborted) throw LEFT;

  const accepted = readAccept(headers.accept);
  // By the path, or else by `Accept`: a tool that sets no headers may send any.
  const asked = state.filePaths[path] ?? accepted.file;
  if (!asked && !accepted.json && !accepted.stream) throw NO_SUCH_ANSWER;
  context.releasePlace = takePlace(context, state, asked ? 'exports' : 'operations');
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const given = body ? parseBody(body) : parseSearch(search);
  const isArray = Array.isArray(given) && state.maxBatch > 0 && path === state.endpoint;
  cancelWithClient(request, context);
  if (isArray) {
    if (!accepted.json) throw NO_STREAM_OF_ARRAYS;
    context.array = { entries: entriesOf(given, state.maxBatch), contexts: [] };
    // Each operation of it takes a place, and is observed by itself.
    context.releasePlace();
    observed.isOperation = false;
    return;
  }
  // Errors of an export have statuses, by which scripts tell them from its rows.
  if (asked) context.mediaType = RESPONSE_JSON;
  if (asked) context.exported = readExportRequest(asked, search);
  startSession(context, state);
  context.params = paramsOf(given);
  if (!asked) context.streamType = accepted.stream;
}
