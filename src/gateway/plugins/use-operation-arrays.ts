import type { FetchAPI } from 'graphql-yoga';
import { NO_STORE, RequestError, VARY } from '../../http/errors.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON, typeFor } from '../../http/negotiation.ts';
import { attachBody } from '../../http/response-body.ts';
import type { Turns } from '../../limits/start-queue.ts';
import { pathOf } from '../../pages/route.ts';
import {
  ArrayEntry,
  type Client,
  type GatewayContext,
  type GatewayPlugin,
  type ReceivedText,
} from '../../request/context.ts';
import { receiveText } from '../../request/params.ts';
import type { SessionOptions } from '../../request/rest-sessions.ts';
import { splitArray } from '../../request/split-array.ts';
import { ArrayAnswers } from '../../response/array-answers.ts';
import { respondToFault, UNEXPECTED } from '../../response/contain-faults.ts';
import { errorResponse } from '../../response/errors.ts';
import { webStreamOf } from '../../response/streamed-response.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import { serverTiming } from '../../telemetry/observation.ts';

const NOT_ACCEPTABLE = new RequestError(
  406,
  'NOT_ACCEPTABLE',
  `An array of operations is answered by an array, as ${JSON_TYPE} or ${RESPONSE_JSON}.`,
);
const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operations started.');
/** Of the array as it was sent. */
const OF_BODY = ['accept', 'content-length', 'transfer-encoding', 'expect', 'x-request-id'];

interface ArrayOptions {
  readonly endpoint: string;
  /** The most operations of one array; 0 refuses arrays. */
  readonly maxBatch: number;
  readonly startQueue: Turns;
  readonly session: Pick<SessionOptions, 'operations' | 'maxResponseBytes'>;
  /** Handles a request as if it had come by itself. */
  readonly send: (request: Request, context: ArrayEntry) => Response | Promise<Response>;
  readonly log: Log;
}

/**
 * Takes arrays of operations: each is sent on as a request of its own, so that it is admitted, limited, logged and
 * counted as one that came alone, and all the answers are an array in the same order. It stands behind the plugins of
 * users, which see the request before its body is read, and then each of its operations.
 */
export function useOperationArrays(options: ArrayOptions): GatewayPlugin {
  const { endpoint, maxBatch, log } = options;
  if (maxBatch === 0) return {};
  return {
    onRequest({ request, serverContext: context, fetchAPI, endResponse }) {
      if (context instanceof ArrayEntry) return void context.onStart(context);
      if (request.method !== 'POST' || pathOf(request) !== endpoint) return undefined;
      const answer = async (text: ReceivedText) => {
        try {
          endResponse(await respond(text, request, context, fetchAPI, options));
        } catch (error) {
          endResponse(
            error instanceof RequestError
              ? errorResponse(error, request, context, fetchAPI)
              : respondToFault(error, request, context, fetchAPI, log),
          );
        }
      };
      if (context.text) return context.text.isArray ? answer(context.text) : undefined;
      return receiveText(request).then((text) => {
        context.text = text;
        return text.isArray ? answer(text) : undefined;
      });
    },
  };
}

async function respond(
  text: ReceivedText,
  request: Request,
  context: GatewayContext,
  fetchAPI: FetchAPI,
  { maxBatch, startQueue, session, send, log }: ArrayOptions,
): Promise<Response> {
  const { client, observed, headers, requestId } = context;
  observed.isOperation = true;
  const mediaType = negotiate(headers.accept);
  if (mediaType === undefined) throw NOT_ACCEPTABLE;
  // To split a long one takes milliseconds.
  await (client && startQueue.enter(client.owner, 'addresses', client));
  if (client?.isGone) throw LEFT;
  const entries = splitArray(text.read(), maxBatch);
  observed.isOperation = false;
  const { operations, maxResponseBytes: maxBytes } = session;
  const answers = new ArrayAnswers(entries.length, { requestId, operations, maxBytes });
  const clients = entryClients(client);
  const texts = entryTexts(entries, text);
  const own = { ...ownHeaders(request), accept: mediaType, 'x-request-id': requestId };
  let rateLimit = {};

  const answerEntry = async (entry: ReceivedText, index: number): Promise<number> => {
    let started: GatewayContext | undefined;
    const onStart = (context: GatewayContext) => {
      started = context;
    };
    try {
      const sent = new fetchAPI.Request(request.url, {
        method: 'POST',
        headers: { ...own },
        body: entries[index] ?? '',
        signal: request.signal,
      });
      const response = await send(
        sent,
        new ArrayEntry(context, { client: clients.add(), text: entry, entries: entries.length, onStart }),
      );
      const { owner = '', budget } = started ?? {};
      await answers.set(index, response, { owner, hasWritten: budget?.isProtected === true });
      rateLimit = rateLimitIn(response);
      return response.status;
    } catch (error) {
      log('error', 'unexpected error', { requestId, ...faultDetails(error) });
      answers.fail(index, UNEXPECTED);
      return UNEXPECTED.status;
    } finally {
      entry.drop();
    }
  };

  try {
    const statuses = await Promise.all(texts.map(answerEntry));
    const { pieces, ownBytes } = answers.join();
    // What was refused as a whole may be sent again as a whole.
    const status = statuses.every((one) => one >= 500) ? Math.max(...statuses) : 200;
    const response = new fetchAPI.Response(webStreamOf(pieces, fetchAPI.ReadableStream), {
      status,
      headers: {
        'content-type': `${typeFor(status, mediaType)}; charset=utf-8`,
        'cache-control': NO_STORE,
        vary: VARY,
        'server-timing': serverTiming(observed),
        ...rateLimit,
        ...(status === 503 && { 'retry-after': '1' }),
      },
    });
    attachBody(response, { pieces, ownBytes, isCompressible: true });
    return response;
  } finally {
    answers.release();
    clients.end();
  }
}

function ownHeaders(request: Request): Record<string, string> {
  return Object.fromEntries([...request.headers].filter(([name]) => !OF_BODY.includes(name.toLowerCase())));
}

function rateLimitIn({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('ratelimit')));
}

/** The clients of the operations of an array: one connection, which may leave while each of them waits or runs. */
function entryClients(client: Client | undefined) {
  const entries: Client[] = [];
  if (client) {
    client.isRunning = true;
    client.onAbort = () => {
      for (const entry of entries) entry.onAbort?.();
    };
    client.onLeave = () => {
      for (const entry of entries) entry.onLeave?.();
    };
  }
  return {
    /** Undefined where another server knows of the client. */
    add(): Client | undefined {
      if (client === undefined) return undefined;
      const { address, owner } = client;
      const entry: Client = {
        address,
        owner,
        get isGone() {
          return client.isGone;
        },
        get isCut() {
          return client.isCut;
        },
        isRunning: false,
        onAbort: undefined,
        onLeave: undefined,
      };
      entries.push(entry);
      return entry;
    },
    end(): void {
      if (client === undefined) return;
      client.isRunning = false;
      client.onAbort = undefined;
      client.onLeave = undefined;
    },
  };
}

/** The text of the array counts until each of its operations has taken its own. */
function entryTexts(entries: readonly string[], array: ReceivedText): ReceivedText[] {
  let waiting = entries.length;
  return entries.map((entry) => {
    let isWaiting = true;
    const drop = () => {
      if (isWaiting) waiting -= 1;
      isWaiting = false;
      if (waiting === 0) array.drop();
    };
    const read = () => {
      array.check();
      return entry;
    };
    const take = () => {
      const text = read();
      drop();
      return text;
    };
    return { isArray: false, check: () => array.check(), read, take, drop };
  });
}
