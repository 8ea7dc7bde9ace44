import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Caller } from '../rest/caller.ts';
import { JSON_TYPE, negotiate } from './accept.ts';
import { answerCors } from './cors.ts';
import { takeText, takeTrusted } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { type FindDocument, type OperationRequest, Refusal, readOperation } from './operation.ts';
import { type Page, pathOf } from './page.ts';

const UNEXPECTED = new Refusal(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** How many operations may be arriving for each that may be under way. */
const ARRIVING_FOR_EACH = 4;

export interface Rooms {
  readonly endpoint: string;
  readonly graphql: (operation: OperationRequest, exchange: Exchange) => Promise<void>;
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
    const requestId = requestIdOf(request);
    try {
      const shown = show(rooms, request, response, requestId);
      if (shown !== false) return void (await shown);
      if (answerCors(rooms.corsOrigins, request, response)) return;
      const operation = await arrival(rooms, occupancy, request, findDocument);
      const caller = enter(rooms, occupancy, response);
      await rooms.graphql(operation, { incoming: request, outgoing: response, requestId, caller });
    } catch (error) {
      // Whose body never arrived whole has left; anything else that is no refusal is a fault of ours.
      if (response.headersSent || !(error instanceof Refusal || request.complete)) response.destroy();
      else sendRefusal(request, response, error instanceof Refusal ? error : UNEXPECTED, requestId);
    }
  };
}

/** Answers whatever is no operation; false for one. */
function show(
  rooms: Rooms,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean | Promise<true> {
  if (!isHost(request.headers.host)) throw new Refusal(400, 'BAD_REQUEST', 'The header `Host` is malformed.');
  const path = pathOf(request);
  if (path === rooms.endpoint && request.method === 'POST') return false;
  response.setHeader('X-Request-Id', requestId);
  if (path === '/health') return sendText(response, 200, 'ok');
  if (path === '/ready')
    return rooms.isReady() ? sendText(response, 200, 'ready') : sendText(response, 503, 'stopping');
  for (const page of rooms.pages) {
    const answered = page(request, response);
    if (answered !== false) return answered;
  }
  if (path === rooms.endpoint) return false;
  throw new Refusal(404, 'NOT_FOUND', `GraphQL is served at ${rooms.endpoint}.`);
}

/**
 * Who cannot be served soon is told so at once, so that those who are inside stay fast. An operation takes its place
 * when it has arrived: those who send slowly must not keep out the others.
 */
async function arrival(
  { isLate, maxOperations }: Rooms,
  occupancy: Occupancy,
  request: IncomingMessage,
  findDocument: FindDocument,
): Promise<OperationRequest> {
  if (isLate(request) || occupancy.arriving >= ARRIVING_FOR_EACH * maxOperations) throw overloaded();
  occupancy.arriving += 1;
  try {
    return await readOperation(request, findDocument);
  } finally {
    occupancy.arriving -= 1;
  }
}

/** Takes a place, until the answer is out or its caller has left. */
function enter({ maxOperations }: Rooms, occupancy: Occupancy, response: ServerResponse): Caller {
  if (occupancy.operations >= maxOperations) throw overloaded();
  occupancy.operations += 1;
  const caller = new Caller();
  response.on('close', () => {
    occupancy.operations -= 1;
    caller.leave('left');
  });
  return caller;
}

function overloaded(): Refusal {
  return new Refusal(503, 'OVERLOADED', 'Too many operations are under way.', { 'Retry-After': '1' });
}

/** A caller's own name for a request is kept where it is sane. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
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
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': `${contentType}; charset=utf-8`,
      'X-Request-Id': requestId,
    })
    .end(body);
}

function sendText(response: ServerResponse, status: number, text: string): true {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  return true;
}
