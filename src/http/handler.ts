import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { Caller } from '../rest/caller.ts';
import { Admission } from './admission.ts';
import { readBody } from './body.ts';
import type { Compression } from './compression.ts';
import type { Connection, Serve } from './connections.ts';
import { answerCors } from './cors.ts';
import { takeText, takeTrusted } from './documents.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { type OperationRequest, Refusal, readOperation } from './operation.ts';
import { type Page, pathOf } from './page.ts';
import { sendRefusal } from './refusal.ts';
import { checkRequest, requestIdOf } from './request.ts';
import { type GraphqlResponse, sendResponse } from './response.ts';
import { SCHEMA_PATH } from './schema-text.ts';
import { StartQueue } from './start-queue.ts';
import type { Transfers } from './transfers.ts';

const UNEXPECTED = new Refusal(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

export interface HandlerOptions {
  readonly endpoint: string;
  readonly graphql: (operation: OperationRequest, request: GraphqlRequest) => Promise<GraphqlResponse>;
  /** Whom an operation is counted for, where something limited is shared. */
  readonly ownerOf: (headers: IncomingHttpHeaders, address: string) => string;
  readonly pages: readonly Page[];
  readonly isReady: () => boolean;
  /** Origins whose pages may read the answers. */
  readonly corsOrigins: readonly string[];
  /** The only documents to run, by hash; absent: any. */
  readonly trustedDocuments?: ReadonlyMap<string, string>;
  /** How many operations may be under way at once. */
  readonly maxOperations: number;
  /** Bodies that arrive, and answers that are sent. */
  readonly uploads: Transfers;
  readonly downloads: Transfers;
  readonly compression: Compression;
  readonly log: Log;
}

/** Serves pages and operations; whatever cannot be served gets a coded error. */
export function createHandler(options: HandlerOptions): Serve {
  const admission = new Admission(options.maxOperations);
  const starts = new StartQueue();
  const findDocument = options.trustedDocuments ? takeTrusted(options.trustedDocuments) : takeText;
  const vary = `Accept, Accept-Encoding${options.corsOrigins.length > 0 ? ', Origin' : ''}`;
  const sender = { downloads: options.downloads, compression: options.compression, vary };
  return async (request, response, connection) => {
    const requestId = requestIdOf(request);
    try {
      checkRequest(request);
      const served = servePage(options, admission, request, response, requestId);
      if (served !== false) return void (await served);
      const operation = await readOperation(request, findDocument, () =>
        readBody(request, options.uploads, connection.owner),
      );
      const answer = await execute(options, admission, starts, operation, request, requestId, connection);
      const acceptEncoding = request.headers['accept-encoding'];
      const sending = sendResponse(
        response,
        answer,
        { requestId, owner: connection.owner, acceptEncoding },
        sender,
      );
      if (sending) await sending;
    } catch (error) {
      // A body that was cut off needs no answer; anything else that is no refusal is a fault of the gateway.
      if (response.headersSent || !(error instanceof Refusal || request.complete)) {
        response.destroy();
      } else if (error instanceof Refusal) {
        sendRefusal(request, response, error, requestId, vary);
      } else {
        options.log('error', 'unexpected error', { requestId });
        sendRefusal(request, response, UNEXPECTED, requestId, vary);
      }
    }
  };
}

/** Runs an admitted operation, until it has its answer or its client has gone. */
async function execute(
  { graphql, ownerOf }: HandlerOptions,
  admission: Admission,
  starts: StartQueue,
  operation: OperationRequest,
  { method, headers }: IncomingMessage,
  requestId: string,
  connection: Connection,
): Promise<GraphqlResponse> {
  const owner = ownerOf(headers, connection.address);
  admission.admit(owner);
  const caller = new Caller();
  connection.onAbort = () => caller.leave('left');
  try {
    const turn = starts.enter(owner);
    if (turn) await turn;
    if (caller.isGone) throw new Refusal(503, 'OVERLOADED', 'The client left before its operation started.');
    return await graphql(operation, { method, headers, requestId, owner, caller });
  } finally {
    // Its answer may take long to be read, and is bounded by its bytes: others can be admitted meanwhile.
    admission.release(owner);
    connection.onAbort = undefined;
    caller.leave('left');
  }
}

/** Serves whatever is no operation; false for one. */
function servePage(
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
  if (isShared && answerCors(options.corsOrigins, request, response)) return true;
  if (isPosted) return false;
  if (path === '/health') return sendText(response, 200, 'ok');
  if (path === '/ready') {
    if (!options.isReady()) return sendText(response, 503, 'stopping');
    return admission.isStuck ? sendText(response, 503, 'overloaded') : sendText(response, 200, 'ready');
  }
  for (const page of options.pages) {
    const answered = page(request, response);
    if (answered !== false) return answered;
  }
  if (isEndpoint) return false;
  throw new Refusal(404, 'NOT_FOUND', `GraphQL is served at ${options.endpoint}.`);
}

function sendText(response: ServerResponse, status: number, text: string): true {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(`${text}\n`);
  return true;
}
