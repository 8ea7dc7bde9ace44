import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Gateway } from '../gateway/gateway.ts';
import type { Log } from '../log.ts';
import { Cancellation } from '../rest/client/cancellation.ts';
import { Admission } from './admission.ts';
import { readBody } from './body.ts';
import type { Compression } from './compression.ts';
import type { Connection, RequestHandler } from './connections.ts';
import { handleCors } from './cors.ts';
import { HttpError, sendError, varyFor } from './errors.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from './negotiation.ts';
import { pathOf, type Route } from './pages/route.ts';
import { SCHEMA_PATH } from './pages/schema-text.ts';
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
  /** What is served beside the endpoint. */
  readonly routes: readonly Route[];
  readonly isReady: () => boolean;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  /** How many operations may run at once. */
  readonly maxOperations: number;
  /** Bodies that arrive, and responses that are sent. */
  readonly uploads: Transfers;
  readonly downloads: Transfers;
  readonly compression: Compression;
  /** When operations start and refusals go out. */
  readonly startQueue?: Pick<StartQueue, 'enter' | 'limitTurnToOne'>;
  readonly log: Log;
}

/** Reads requests, has their operations run, and sends the responses; whatever cannot be served gets a coded error. */
export function createHandler(options: HandlerOptions): RequestHandler {
  const { uploads, downloads, compression, startQueue = new StartQueue(), log } = options;
  const admission = new Admission(options.maxOperations);
  const vary = varyFor(options.corsOrigins);

  /** Runs an operation, where it is admitted, until it has its response or its client has disconnected. */
  async function run(text: string, request: IncomingMessage, requestId: string, connection: Connection) {
    const { method, headers } = request;
    const owner = options.gateway.ownerOf(headers, connection.address);
    admission.admit(owner);
    const cancellation = new Cancellation();
    connection.onAbort = () => cancellation.abort('closed');
    try {
      const queued = startQueue.enter(owner);
      if (queued) await queued;
      if (cancellation.isAborted)
        throw new HttpError(503, 'OVERLOADED', 'The client left before its operation started.');
      const isReadOnly = method === 'GET';
      const { params, bytes } = parseParams(request, text);
      return await options.gateway.run(
        { params, bytes, isReadOnly, headers, requestId, owner },
        cancellation,
      );
    } finally {
      // Its response may take long to be read, and is bounded by its bytes: others can be admitted meanwhile.
      admission.release(owner);
      connection.onAbort = undefined;
      cancellation.abort('closed');
    }
  }

  return async (request, response, connection) => {
    const requestId = requestIdOf(request);
    const { shouldKeepAlive } = response;
    // Who waits to be asked for its body may send it after a refusal, or may not: what comes next is then not known.
    if (request.headers.expect !== undefined) response.shouldKeepAlive = false;
    try {
      checkRequest(request);
      const routed = route(options, admission, request, response, requestId);
      if (routed !== false) return void (await routed);
      const text = await readText(request, () => {
        const body = readBody(request, response, uploads, connection.owner);
        response.shouldKeepAlive = shouldKeepAlive;
        return body;
      });
      const contentType = acceptedType(request.headers);
      const result = await run(text, request, requestId, connection);
      const { owner } = connection;
      const acceptEncoding = request.headers['accept-encoding'];
      const sendOptions: SendOptions = {
        requestId,
        owner,
        contentType,
        acceptEncoding,
        vary,
        downloads,
        compression,
      };
      const sending = sendResponse(response, result, sendOptions);
      if (sending) await sending;
    } catch (error) {
      // A body that was cut off needs no response; anything else that was not foreseen is a fault of the gateway.
      if (response.headersSent || !(error instanceof HttpError || request.complete)) {
        response.destroy();
      } else if (error instanceof HttpError) {
        // Whoever sends again as soon as it is refused must not fill the turns of the event loop with refusals.
        const queued = startQueue.enter(connection.owner);
        if (queued) await queued;
        sendError(request, response, error, requestId, vary);
      } else {
        log('error', 'unexpected error', { requestId });
        sendError(request, response, UNEXPECTED, requestId, vary);
      }
    }
  };
}

function acceptedType({ accept }: IncomingHttpHeaders): string {
  const contentType = negotiate(accept);
  if (contentType !== undefined) return contentType;
  throw NOT_ACCEPTABLE;
}

/** Serves whatever is no operation; false for one. */
function route(
  options: HandlerOptions,
  admission: Admission,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean | Promise<true> {
  const path = pathOf(request);
  const isEndpoint = path === options.endpoint;
  const isPosted = isEndpoint && request.method === 'POST';
  if (!isPosted) response.setHeader('X-Request-Id', requestId);
  const isShared = isEndpoint || path === SCHEMA_PATH;
  if (isShared && handleCors(options.corsOrigins, request, response)) return true;
  if (isPosted) return false;
  if (path === '/health') return sendText(response, 200, 'ok');
  if (path === '/ready') {
    if (!options.isReady()) return sendText(response, 503, 'stopping');
    return admission.isStuck ? sendText(response, 503, 'overloaded') : sendText(response, 200, 'ready');
  }
  for (const serve of options.routes) {
    const served = serve(request, response);
    if (served !== false) return served;
  }
  if (isEndpoint) return false;
  throw new HttpError(404, 'NOT_FOUND', `GraphQL is served at ${options.endpoint}.`);
}

function sendText(response: ServerResponse, status: number, text: string): true {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(`${text}\n`);
  return true;
}
