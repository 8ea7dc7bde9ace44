import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportPaths } from '../../export/export-request.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Compression } from '../../http/compression.ts';
import { RequestError, requestIdOf } from '../../http/errors.ts';
import type { Turns } from '../../limits/start-queue.ts';
import { pathOf } from '../../pages/route.ts';
import { isProbe, type Readiness } from '../../pages/status.ts';
import { GuardedRequest } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import type { Observation } from '../../telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry, type SentResponse } from '../../telemetry/telemetry.ts';
import { receiveBody } from './body.ts';
import { checkRequest } from './check-request.ts';
import type { Connection, RequestHandler } from './connection.ts';
import { createGuardedServer, type GuardedServerOptions } from './guarded-server.ts';
import { sendAnswer, sendError } from './send.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

export interface DrainDelays {
  readonly delayMs?: number;
  /** What the ends of streams of changes are spread over, if not the delay. */
  readonly spreadMs?: number;
}

export interface HttpServerOptions extends Omit<GuardedServerOptions, 'handle' | 'onFault'> {
  /** Limits for request bodies being received and responses being sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
  readonly compression: Compression;
  /** The one that the gateway starts its operations by. Errors are sent by it, too. */
  readonly startQueue: Turns;
  readonly log: Log;
  readonly telemetry?: RequestTelemetry | undefined;
}

/** The gateway's own server: it hands requests to Yoga and sends its responses. What is not HTTP gets an error code. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, startQueue, log, telemetry = NO_TELEMETRY } = options;
  const uploads = new Transfers(options.uploads);
  const downloads = new Transfers(options.downloads);
  // Each access would bind it anew.
  const { handleNodeRequestAndResponse, graphqlEndpoint: endpoint } = gateway;
  const operationPaths = [endpoint, ...Object.keys(exportPaths(endpoint))];
  let isDraining = false;
  /** Requests whose end has not been told to telemetry: some outlive their connections. */
  let inFlight = 0;
  let onSettled = () => {};

  /**
   * Waits for a turn to be handed to Yoga, since the way to the start of an operation takes time too, and thousands of
   * requests may arrive in one turn. What it starts then is a part of that turn.
   */
  const arrive = (request: IncomingMessage, connection: Connection) => {
    const owner = isProbe(request)
      ? connection.owner
      : gateway.ownerOf(credentialsOf(request.headers), connection.address);
    const group = owner === connection.owner ? 'addresses' : 'credentials';
    return startQueue.enter(owner, isProbe(request) ? 'probes' : group, connection);
  };

  const handle: RequestHandler = async (request, response, connection) => {
    const { headers } = request;
    const requestId = requestIdOf(headers['x-request-id']);
    inFlight += 1;
    const observed = telemetry.begin(headers, requestId);
    // An operation may outlive its connection: what it did is known when both have ended.
    let sent: SentResponse | undefined;
    let isHandled = false;
    const endWhenOver = () => {
      if (!sent || !isHandled) return;
      telemetry.end(request, sent, observed);
      inFlight -= 1;
      if (inFlight === 0) onSettled();
    };
    connection.onEnd = () => {
      sent = sentResponse(response, connection, observed);
      endWhenOver();
    };
    const onEvict = () => {
      observed.isShed = true;
      telemetry.shed('uploads');
    };
    /** Apart from the rest, since what it takes to answer must not stay until the answer has been read. */
    const answerTo = async (context: GuardedRequest) => {
      try {
        checkRequest(request);
        if (request.method === 'POST' && operationPaths.includes(pathOf(request))) {
          observed.isOperation = true;
          context.text = await receiveBody(request, response, { uploads, connection, onEvict });
        }
        if (startQueue.isFull) await arrive(request, connection);
        if (connection.isGone) return undefined;
        return await handleNodeRequestAndResponse(request, response, context);
      } finally {
        context.text?.drop();
      }
    };
    try {
      const answer = await answerTo(new GuardedRequest(request, connection, requestId, observed));
      if (answer === undefined || connection.isGone) return;
      const sending = sendAnswer({ response, answer, connection, downloads, compression });
      if (sending) await sending;
    } catch (error) {
      const logFault = () => log('error', 'unexpected error', { requestId, ...faultDetails(error) });
      if (response.headersSent) {
        // Only a broken connection can tell of it now, and nobody is there to see it once the client has left.
        if (connection.isGone) return;
        if (observed.codes.length === 0) logFault();
        connection.breakOff();
      } else if (error instanceof RequestError) {
        // Queued, so that clients that retry immediately cannot fill event loop turns with error responses.
        const queued = !connection.isGone && startQueue.enter(connection.owner, 'addresses', connection);
        if (queued) await queued;
        if (!connection.isGone) sendError(response, error, observed);
      } else if (request.complete) {
        logFault();
        sendError(response, UNEXPECTED, observed);
      } else {
        // An incomplete request body needs no response; any other unexpected error is a bug in the gateway.
        response.destroy();
      }
    } finally {
      // Whatever it was: what the kernel has not taken yet waits for a client that may never read it.
      const unsent = response.socket?.writableLength;
      if (unsent) connection.track(downloads, unsent);
      isHandled = true;
      endWhenOver();
    }
  };

  const server = createGuardedServer({
    ...options,
    handle,
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
  });

  /** From now on `/ready` fails, and streams of changes end, spread over so many milliseconds. */
  function leaveRotation(spreadMs: number): void {
    isDraining = true;
    gateway.endSubscriptions(spreadMs);
  }

  return {
    listen: server.listen,
    accept: server.accept,
    leaveRotation,
    readiness: (): Readiness => (isDraining ? 'stopping' : gateway.readiness()),
    /** For metrics: connections, and what is held of each memory budget, in bytes. */
    stats() {
      const { connections, connectionBytes } = server.stats();
      const held = { uploads: uploads.heldBytes, downloads: downloads.heldBytes };
      return { connections, memory: { connections: connectionBytes, ...held } };
    },
    /** Frees memory: cuts responses that clients do not read, which hold half of what all of them hold. */
    relieve: () => downloads.halve(),
    /** Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then the server drains. */
    async drain(graceMs: number, { delayMs = 0, spreadMs = delayMs }: DrainDelays = {}): Promise<void> {
      leaveRotation(spreadMs);
      await sleep(delayMs);
      await server.drain(graceMs);
    },
    /** Resolves when the end of each request has been logged and counted. */
    settled: () =>
      new Promise<void>((resolve) => {
        onSettled = resolve;
        if (inFlight === 0) resolve();
      }),
  };
}

/** What the client got, as its connection ends: what is written to it later, it does not get. */
function sentResponse(
  { writableFinished, headersSent, statusCode }: ServerResponse,
  { closedBy }: Connection,
  { codes: [code = 'INTERNAL_SERVER_ERROR'], stream }: Observation,
): SentResponse {
  const status = headersSent ? statusCode : undefined;
  if (writableFinished) return { status };
  if (closedBy === 'fault') return { status, cutBy: code };
  if (closedBy === 'slow reader' && stream) return { status, cutBy: 'SLOW_CONSUMER' };
  return { status, cutBy: closedBy === 'shutdown' ? 'CUT_AT_SHUTDOWN' : 'CLIENT_CLOSED_REQUEST' };
}
