import { EXPORT_FORMATS, readExportRequest } from '../../export/export-request.ts';
import { RequestError } from '../../http/errors.ts';
import { preferredToJson, RESPONSE_JSON } from '../../http/negotiation.ts';
import { turnToStart } from '../../limits/turns.ts';
import { receiveBody } from '../../request/body.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { checkHeaders, streamTypeFor } from '../../request/http-checks.ts';
import { entriesOfBody, isArray, paramsOfBody, paramsOfSearch } from '../../request/params.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import type { GatewayState } from '../gateway-state.ts';
import { shed, startSession, takePlace } from '../sessions.ts';

const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operation started.');

const EXPORT_TYPES = Object.keys(EXPORT_FORMATS);

/**
 * Receives an operation: its headers are checked, its body is read, it takes a place and gets a session with the REST
 * service, and then its parameters are parsed. In place of Yoga's parsers, which take forms, have no such limits, and
 * echo what is not JSON. Each operation of an array has a place, a session and a line in the log: Yoga runs them at the
 * same time, each with a context that inherits from that of the request, and what one throws is an error in its place.
 */
export function useOperation(state: GatewayState): GatewayPlugin {
  const { endpoint, filePaths, maxBatch, telemetry } = state;

  function start(context: GatewayContext): void {
    context.releasePlace = takePlace(context, state, context.exported ? 'exports' : 'operations');
    startSession(context, state);
  }

  function readBody(request: Request, context: GatewayContext): Promise<Buffer> {
    // It counts for its caller until the request ends.
    const held = state.transfers.hold(context.owner, () => shed(context, state, 'uploads'));
    context.endings.push(held.release);
    return receiveBody(request, context, held.add);
  }

  return {
    async onRequestParse({ request, serverContext: context, setRequestParser }) {
      const { headers, path, client, req, observed } = context;
      const { method, url } = request;
      observed.isOperation = true;
      checkHeaders(method, headers);
      context.credentials = credentialsOf(headers, state.ownAuthorization);
      context.owner = state.ownerOf(context.credentials, client?.address ?? req?.socket?.remoteAddress);
      const body = method === 'POST' ? await readBody(request, context) : undefined;
      await turnToStart((body ?? url).length);
      // It may have left meanwhile; then nothing tells of it any more.
      if (client ? client.cutBy : request.signal.aborted) throw LEFT;

      const hasArray = body !== undefined && maxBatch > 0 && path === endpoint && isArray(body);
      // By the path, or else by `Accept`: a tool that sets no headers may send any.
      const format = hasArray
        ? undefined
        : (filePaths[path] ?? EXPORT_FORMATS[preferredToJson(EXPORT_TYPES, headers.accept) ?? '']);
      // Errors of an export have statuses, by which scripts tell them from its rows.
      if (format) context.mediaType = RESPONSE_JSON;
      if (format) context.exported = readExportRequest(format, searchOf(url));
      const streamType = format ? undefined : streamTypeFor(context, hasArray);
      context.cancellation = cancelledWithClient(request, context);
      start(context);
      setRequestParser(() => {
        if (hasArray) {
          context.array = entriesOfBody(body, maxBatch);
          // Each operation of it is observed by itself.
          observed.isOperation = false;
          return context.array.map((entry) => entry.params);
        }
        const params = body ? paramsOfBody(body) : paramsOfSearch(searchOf(url));
        context.streamType = streamType;
        return params;
      });
    },
    onParams({ params, context }) {
      const entry = context.array?.find((one) => one.params === params);
      if (entry === undefined) return;
      const { headers, requestId, cancellation: ofRequest, releasePlace } = context;
      const observed = telemetry.begin(headers, requestId);
      observed.isOperation = true;
      observed.isEntry = true;
      const cancellation = new Cancellation();
      Object.assign(context, { observed, cancellation });
      entry.context = context;
      // The first gets the place of the request.
      if (entry === context.array?.[0]) releasePlace();
      // Each has a deadline of its own.
      ofRequest.withoutDeadline();
      ofRequest.onAbort(() => cancellation.abort('closed'));
      start(context);
      if (entry.refusal) throw entry.refusal;
    },
  };
}

/** Aborted when the client leaves, and with whatever is still under way when the operation ends. */
function cancelledWithClient(request: Request, { client, endings }: GatewayContext): Cancellation {
  const cancellation = new Cancellation();
  const abort = () => cancellation.abort('closed');
  if (client) void client.left.then(abort);
  else request.signal.addEventListener('abort', abort);
  endings.push(() => {
    if (!client) request.signal.removeEventListener('abort', abort);
    abort();
  });
  return cancellation;
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
