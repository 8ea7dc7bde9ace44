import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Caller } from '../rest/caller.ts';
import { JSON_TYPE, negotiate } from './accept.ts';
import { answerCors } from './cors.ts';
import { takeText, takeTrusted } from './documents.ts';
import { type FindDocument, type OperationRequest, Refusal, readOperation } from './operation.ts';
import { type Page, pathOf } from './page.ts';

const UNEXPECTED = new Refusal(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** How many operations may be arriving for each that may be under way. */
const ARRIVING_FOR_EACH = 4;

export interface Rooms {
  readonly endpoint: string;
  readonly graphql: (
    operation: OperationRequest,
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  readonly pages: readonly Page[];
  readonly isReady: () => boolean;
  /** Whether a request comes too late to be served before the end. */
  readonly isLate: (request: IncomingMessage) => boolean;
  /** Origins whose pages may read the answers. */
  readonly corsOrigins: readonly string[];
  /** The only documents to run, by hash; absent: any. */
  readonly trustedDocuments?: ReadonlyMap<string, string>;
  /** How many operations may be under way at once. */
  readonly maxOperations: number;
}

interface Occupancy {
  arriving: number;
  operations: number;
}

/** Lets in only what the rooms behind it can handle; all else gets a coded error here. */
export function createDoor(
  rooms: Rooms,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const occupancy = { arriving: 0, operations: 0 };
  const findDocument = rooms.trustedDocuments ? takeTrusted(rooms.trustedDocuments) : takeText;
  return async (request, response) => {
    const requestId = nameRequest(request, response);
    try {
      await direct(rooms, findDocument, occupancy, request, response);
    } catch (error) {
      // Whose body never arrived whole has left; anything else that is no refusal is a fault of ours.
      if (response.headersSent || !(error instanceof Refusal || request.complete)) response.destroy();
      else sendRefusal(request, response, error instanceof Refusal ? error : UNEXPECTED, requestId);
    }
  };
}

async function direct(
  rooms: Rooms,
  findDocument: FindDocument,
  occupancy: Occupancy,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isHost(request.headers.host)) throw new Refusal(400, 'BAD_REQUEST', 'The header `Host` is malformed.');
  const path = pathOf(request);
  if (path === '/health') return sendText(response, 200, 'ok');
  if (path === '/ready')
    return rooms.isReady() ? sendText(response, 200, 'ready') : sendText(response, 503, 'stopping');
  for (const page of rooms.pages) {
    const answered = page(request, response);
    if (answered !== false) return void (await answered);
  }
  if (path !== rooms.endpoint) throw new Refusal(404, 'NOT_FOUND', `GraphQL is served at ${rooms.endpoint}.`);
  if (answerCors(rooms.corsOrigins, request, response)) return undefined;

  // Who cannot be served soon is told so at once, so that those who are inside stay fast. An operation takes its
  // place when it has arrived: those who send slowly must not keep out the others.
  const { maxOperations } = rooms;
  if (rooms.isLate(request) || occupancy.arriving >= ARRIVING_FOR_EACH * maxOperations) throw overloaded();
  const operation = await arrival(request, findDocument, occupancy);
  if (occupancy.operations >= maxOperations) throw overloaded();
  occupancy.operations += 1;
  const caller = new Caller();
  response.once('close', () => {
    occupancy.operations -= 1;
    caller.leave('left');
  });
  return rooms.graphql(operation, caller, request, response);
}

async function arrival(
  request: IncomingMessage,
  findDocument: FindDocument,
  occupancy: Occupancy,
): Promise<OperationRequest> {
  occupancy.arriving += 1;
  try {
    return await readOperation(request, findDocument);
  } finally {
    occupancy.arriving -= 1;
  }
}

function overloaded(): Refusal {
  return new Refusal(503, 'OVERLOADED', 'Too many operations are under way.', { 'Retry-After': '1' });
}

/** The request's id goes out with the answer and with each error; a caller's own is kept where it is sane. */
function nameRequest(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
  request.headers['x-request-id'] = requestId;
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

/** Callers use one name or few, so the last that was fine is known. */
let knownHost: string | undefined;

function isHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host !== knownHost && isWellFormed(host)) knownHost = host;
  return host === knownHost;
}

/** Names without odd characters are checked by the URL parser too, which knows addresses and ports. */
function isWellFormed(host: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
}

function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, headers }: Refusal,
  requestId: string,
): void {
  // Apollo Client shows the code of a 4xx only in the type of GraphQL, and tries a 5xx again only in any other.
  const contentType = (status < 500 && negotiate(request.headers.accept)) || JSON_TYPE;
  const body = JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });
  response.writeHead(status, { ...headers, 'Content-Type': `${contentType}; charset=utf-8` }).end(body);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
