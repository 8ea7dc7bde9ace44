import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Gateway } from '../gateway.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from '../negotiation.ts';
import { DOCS_PATH } from '../pages/docs/html.ts';
import { isProbe } from '../pages/probes.ts';
import { pathOf, type Respond, type Route } from '../pages/route.ts';
import { SCHEMA_PATH } from '../pages/schema-text.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Admission } from '../plugins/admission.ts';
import { handleCors } from '../plugins/cors.ts';
import { Cancellation } from '../rest/client/cancellation.ts';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { Observation } from '../telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry, type SentResponse } from '../telemetry/telemetry.ts';
import { hasLargeUnreadBody, type ReceivedText, readBody } from './body.ts';
import type { Compression } from './compression.ts';
import type { Connection } from './connection.ts';
import type { RequestHandler } from './connections.ts';
import { HttpError, sendError, varyFor } from './errors.ts';
import { checkRequest, parseParams, readText, requestIdOf } from './request.ts';
import { type SendOptions, sendResponse } from './response.ts';
import { StartQueue } from './start-queue.ts';
import type { Transfers } from './transfers.ts';

const UNEXPECTED = new HttpError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');
const NOT_ACCEPTABLE = new HttpError(
  406,
  'NOT_ACCEPTABLE',
  `Answers come as ${RESPONSE_JSON} or ${JSON_TYPE}.`,
);

export interface HandlerOptions {
  readonly gateway: Pick<Gateway, 'run' | 'ownerOf'>;
  readonly endpoint: string;
  /** Routes other than the GraphQL endpoint. */
  readonly routes: readonly Route[];
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  readonly admission: Admission;
  /** Request bodies being received, and responses being sent. */
  readonly uploads: Transfers;
  readonly downloads: Transfers;
  readonly compression: Compression;
  /** Schedules the start of operations and the sending of errors. */
  readonly startQueue?: Pick<StartQueue, 'enter' | 'onConnection'>;
  readonly log: Log;
  readonly telemetry?: RequestTelemetry;
}

/**
 * Reads requests, runs their operations and sends the responses; requests that cannot be served get an error with a
 * code.
 */
export function createHandler(options: HandlerOptions): RequestHandler {
  const { uploads, downloads, compression, admission, startQueue = new StartQueue(), log } = options;
  const { telemetry = NO_TELEMETRY } = options;
  const vary = varyFor(options.corsOrigins);

  /** Runs an operation, if admitted, until it completes or its client disconnects. */
  async function run(
    text: ReceivedText,
    request: IncomingMessage,
    observed: Observation,
    connection: Connection,
  ) {
    const { method, headers } = request;
    const { requestId } = observed;
    const owner = options.gateway.ownerOf(headers, connection.address);
    admission.admit(owner);
    const cancellation = new Cancellation();
    connection.onAbort = () => {
      text.drop();
      cancellation.abort('closed');
    };
    connection.isRunning = true;
    try {
      const queued = startQueue.enter(
        owner,
        owner === connection.owner ? 'addresses' : 'credentials',
        connection,
      );
      if (queued) await queued;
      if (cancellation.isAborted)
        throw new HttpError(503, 'OVERLOADED', 'The client left before its operation started.');
      const isReadOnly = method === 'GET';
      const { params, bytes } = parseParams(request, text.take());
      return await options.gateway.run(
        { params, bytes, isReadOnly, headers, requestId, owner, observed },
        cancellation,
      );
    } finally {
      // The client may read the response slowly, but its bytes are limited separately: others can be admitted
      // meanwhile.
      admission.release(owner);
      connection.isRunning = false;
      connection.onAbort = undefined;
      cancellation.abort('closed');
    }
  }

  function recordError({ code, shed }: HttpError, observed: Observation): void {
    observed.addCode(code);
    if (shed === undefined) return;
    observed.isShed = true;
    telemetry.shed(shed);
  }

  return async (request, response, connection) => {
    const requestId = requestIdOf(request);
    const observed = telemetry.begin(request, requestId);
    // An operation may outlive its connection: what it did is known when both have ended.
    let sent: SentResponse | undefined;
    let isHandled = false;
    let text: ReceivedText | undefined;
    const endWhenOver = () => {
      if (sent && isHandled) telemetry.end(request, sent, observed);
    };
    connection.onEnd = () => {
      sent = sentResponse(response, connection);
      endWhenOver();
    };
    const { shouldKeepAlive } = response;
    // A client that sent `Expect: 100-continue` may or may not send its body after an error response, so the connection
    // cannot be reused.
    if (request.headers.expect !== undefined) response.shouldKeepAlive = false;
    try {
      checkRequest(request);
      const page = findPage(options, request, response, requestId);
      if (page) {
        // Probes have turns of their own, so that a flood of pages does not delay them.
        const group = isProbe(request) ? 'probes' : 'addresses';
        const queued = startQueue.enter(connection.owner, group, connection);
        if (queued) await queued;
        if (connection.isGone) return;
        const found = await page();
        if (found === undefined) throw notFound(options);
        return sendPage(response, found, connection, downloads);
      }
      observed.isOperation = true;
      text = await readText(request, () => {
        const body = readBody(request, response, uploads, connection);
        response.shouldKeepAlive = shouldKeepAlive;
        return body;
      });
      const contentType = acceptedType(request.headers);
      const result = await run(text, request, observed, connection);
      const acceptEncoding = request.headers['accept-encoding'];
      const sendOptions: SendOptions = {
        observed,
        connection,
        contentType,
        acceptEncoding,
        vary,
        downloads,
        compression,
      };
      const sending = sendResponse(response, result, sendOptions);
      if (sending) await sending;
    } catch (error) {
      text?.drop();
      // An incomplete request body needs no response; any other unexpected error is a bug in the gateway.
      if (response.headersSent || !(error instanceof HttpError || request.complete)) {
        response.destroy();
      } else if (error instanceof HttpError) {
        recordError(error, observed);
        // Queued, so that clients that retry immediately cannot fill event loop turns with error responses.
        const queued = !connection.isGone && startQueue.enter(connection.owner, 'addresses', connection);
        if (queued) await queued;
        if (connection.isGone) return;
        if (hasLargeUnreadBody(request)) response.shouldKeepAlive = false;
        sendError(request, response, error, observed, vary);
      } else {
        log('error', 'unexpected error', { requestId, ...faultDetails(error) });
        recordError(UNEXPECTED, observed);
        sendError(request, response, UNEXPECTED, observed, vary);
      }
    } finally {
      // Whatever it was: what the kernel has not taken yet waits for a client that may never read it.
      const unsent = response.socket?.writableLength;
      if (unsent) connection.track(downloads, unsent);
      isHandled = true;
      endWhenOver();
    }
  };
}

/** What the client got, as its connection ends: what is written to it later, it does not get. */
function sentResponse({ writableFinished, headersSent, statusCode }: ServerResponse, { isCut }: Connection) {
  const status = headersSent ? statusCode : undefined;
  if (writableFinished) return { status };
  return { status, cutBy: isCut ? 'CUT_AT_SHUTDOWN' : 'CLIENT_CLOSED_REQUEST' };
}

function acceptedType({ accept }: IncomingHttpHeaders): string {
  const contentType = negotiate(accept);
  if (contentType !== undefined) return contentType;
  throw NOT_ACCEPTABLE;
}

/** How a request that is not a GraphQL operation is answered; undefined for operations. */
function findPage(
  options: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Respond | undefined {
  const path = pathOf(request);
  const isEndpoint = path === options.endpoint;
  const isPosted = isEndpoint && request.method === 'POST';
  if (!isPosted) response.setHeader('X-Request-Id', requestId);
  if (isEndpoint || path === SCHEMA_PATH) {
    const preflight = handleCors(options.corsOrigins, request, response);
    if (preflight) return () => preflight;
  }
  if (isPosted) return undefined;
  for (const route of options.routes) {
    const respond = route(request);
    if (respond) return respond;
  }
  if (isEndpoint) return undefined;
  throw notFound(options);
}

function notFound({ endpoint }: HandlerOptions): HttpError {
  return new HttpError(
    404,
    'NOT_FOUND',
    `GraphQL is served at ${endpoint}, the documentation at ${DOCS_PATH}.`,
  );
}
