// @ts-check
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, jsonResponse, parseRequestJson, splitTarget } from '../../dist/demo/http.js';
import { readRequestBody } from '../../dist/demo/parameters.js';
import * as demo from '../../dist/demo/service.js';

/** @typedef {import('../../dist/demo/service.js').DemoData} DemoData */
/** @typedef {import('../../dist/demo/service.js').DemoExchange} DemoExchange */
/** @typedef {import('../../dist/demo/http.js').DemoResponse} DemoResponse */
/** @typedef {ReturnType<typeof createCall>} DemoCall A received request, for tests to inspect. */
/** @typedef {Awaited<ReturnType<typeof startDemoService>>} DemoService */
/** @typedef {import('./rest-faults.ts').Fault} Fault */
/** @typedef {import('../../dist/demo/service.js').DemoOptions & { idleMs?: number }} DemoOptions */

/** Maximum number of recorded calls: more than any test needs, and bounded for a service that runs for weeks. */
const LOG_LENGTH = 20_000;

/**
 * The embedded REST service, which records the calls that it gets, and lets some of them fail. JavaScript, since the
 * bench uses it too. With `idleMs`, requests on connections that were idle for longer are reset.
 * @param {DemoOptions} [options]
 */
export async function startDemoService({ idleMs, ...options } = {}) {
  /** @type {DemoCall[]} */
  const calls = [];
  const faults = createFaultQueue();
  const acceptsRequest = idleMs === undefined ? () => true : createIdleLimit(idleMs);
  const service = await demo.startDemoService({
    ...options,
    async intercept(exchange) {
      if (!acceptsRequest(exchange.outgoing)) return;
      const call = createCall(exchange.incoming);
      calls.push(call);
      if (calls.length > LOG_LENGTH) calls.splice(0, LOG_LENGTH / 2);
      const fault = faults.take(call);
      const recorded = record(call, exchange);
      try {
        const request = await exchange.read();
        recordBody(call, request);
        const respond = () => exchange.respond(request);
        if (fault) await misbehave(fault, respond, recorded);
        else recorded.send(respond());
      } catch (error) {
        if (!exchange.outgoing.headersSent) recorded.send(demo.internalError(error));
      }
    },
  });
  return {
    ...service,
    /** The requests in order of arrival; the oldest are dropped when there are too many. */
    calls,
    misbehave: (/** @type {Fault} */ fault) => void faults.add(fault),
    /** Removes the remaining faults, or those of one caller alone. */
    behave: faults.clear,
  };
}

/** @typedef {ReturnType<typeof record>} RecordedExchange */

/**
 * Updates the recorded call, whichever side ends the exchange.
 * @param {DemoCall} call
 * @param {DemoExchange} exchange
 */
function record(call, { outgoing, writeHead }) {
  let isClosedByService = false;
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    call.status = 0;
    call.aborted = !isClosedByService;
  });
  /** @param {DemoResponse} response */
  function begin(response) {
    // Set before the last byte is sent, so that a client that has the response also sees the recorded status.
    call.status = response.status;
    writeHead(response);
  }
  return {
    outgoing,
    writeHead: begin,
    /** @param {DemoResponse} response */
    send(response) {
      if (outgoing.destroyed) return;
      begin(response);
      outgoing.end(response.body);
    },
    /**
     * Closes or resets the connection from the server side.
     * @param {'close' | 'reset'} how
     */
    disconnect(how) {
      isClosedByService = true;
      if (how === 'reset') outgoing.socket?.resetAndDestroy();
      else outgoing.destroy();
    },
  };
}

/** @param {import('node:http').IncomingMessage} incoming */
function createCall({ method = 'GET', url = '/', headers }) {
  const { path, query: text } = splitTarget(url);
  /** @type {Record<string, string>} */
  const query = Object.fromEntries(new URLSearchParams(text));
  /** @type {Record<string, string>} */
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    method,
    path,
    query,
    /** The parsed `fields` parameter of the query or the form, if it is JSON. */
    fields: fieldsOf(query),
    headers: named,
    /** The parsed JSON or form; undefined if it is neither. */
    body: /** @type {unknown} */ (undefined),
    /** The request target as sent. */
    url,
    /** Status of the response; 0 until it is sent, or if it was not sent completely. */
    status: 0,
    /** By the client, before the response ended. */
    aborted: false,
  };
}

/**
 * Adds the body once it has been received.
 * @param {DemoCall} call
 * @param {import('../../dist/demo/http.js').DemoRequest} request
 */
function recordBody(call, request) {
  if (request.body.length === 0) return;
  try {
    call.body = readRequestBody(request);
    call.fields ??= fieldsOf(call.body);
  } catch {
    // Invalid bodies are reported by the endpoint.
  }
}

/**
 * @param {unknown} source
 * @returns {unknown}
 */
function fieldsOf(source) {
  const { fields } = isJsonObject(source) ? source : {};
  return typeof fields === 'string' ? parseRequestJson(fields) : undefined;
}

/**
 * A server may close an idle keep-alive connection while the next request is being sent on it. To make this race
 * reproducible, every request on a connection that was idle for longer than `idleMs` is reset.
 * @param {number} idleMs
 */
function createIdleLimit(idleMs) {
  /** @type {WeakMap<object, number>} */
  const idleSince = new WeakMap();
  return (/** @type {import('node:http').ServerResponse} */ outgoing) => {
    const { socket } = outgoing;
    if (socket === null) return true;
    if (performance.now() - (idleSince.get(socket) ?? Number.POSITIVE_INFINITY) > idleMs) {
      socket.resetAndDestroy();
      return false;
    }
    outgoing.once('finish', () => idleSince.set(socket, performance.now()));
    // Set explicitly, so that Node does not announce the keep-alive timeout: clients should not be warned.
    outgoing.setHeader('connection', 'keep-alive');
    return true;
  };
}

function createFaultQueue() {
  /** @type {{ fault: Fault, left: number }[]} */
  const queue = [];
  return {
    add: (/** @type {Fault} */ fault) => queue.push({ fault, left: fault.times ?? 1 }),
    clear(/** @type {string | undefined} */ authorization = undefined) {
      const others = queue.filter(({ fault }) => fault.match?.authorization !== authorization);
      queue.splice(0, queue.length, ...(authorization === undefined ? [] : others));
    },
    take(/** @type {DemoCall} */ call) {
      const entry = queue.find(({ fault, left }) => left > 0 && matches(fault, call));
      if (entry) entry.left -= 1;
      return entry?.fault;
    },
  };
}

/**
 * `respond` computes the regular response, and applies writes; faults that do not call it leave the data unchanged.
 * @param {Fault} fault
 * @param {() => DemoResponse} respond
 * @param {RecordedExchange} exchange
 * @returns {Promise<void>}
 */
async function misbehave(fault, respond, exchange) {
  switch (fault.kind) {
    case 'delay':
      await pause(fault.milliseconds);
      return exchange.send(respond());
    case 'stale': {
      const early = respond();
      await fault.until;
      return exchange.send(early);
    }
    case 'reset':
      return exchange.disconnect('reset');
    case 'truncate':
      return truncate(respond(), exchange);
    case 'hang':
      return;
    case 'drip':
      return drip(respond(), exchange, fault.milliseconds);
    case 'endless':
      return sendForever(exchange);
    case 'status':
    case 'body':
      return exchange.send(otherResponse(fault));
    case 'rewrite': {
      const { status, body } = respond();
      return exchange.send(jsonResponse(status, fault.rewrite(parseRequestJson(body.toString()))));
    }
  }
}

/**
 * @param {Fault} fault
 * @param {DemoCall} call
 */
function matches({ match = {} }, call) {
  const { method = call.method, path = call.path, authorization } = match;
  if (authorization !== undefined && authorization !== call.headers.authorization) return false;
  return method === call.method && (typeof path === 'string' ? path === call.path : path.test(call.path));
}

/** @param {import('./rest-faults.ts').OtherResponse} other */
function otherResponse({ status = 200, headers, body, contentType = 'application/json' }) {
  const content = body ?? JSON.stringify({ code: 'fault', message: `Answered ${status} on request.` });
  return { status, headers: { 'content-type': contentType, ...headers }, body: Buffer.from(content) };
}

/**
 * @param {DemoResponse} response
 * @param {RecordedExchange} exchange
 */
function truncate(response, { outgoing, writeHead, disconnect }) {
  writeHead(response);
  outgoing.write(response.body.subarray(0, response.body.length / 2), () => disconnect('close'));
}

/**
 * @param {DemoResponse} response
 * @param {RecordedExchange} exchange
 * @param {number} milliseconds
 */
async function drip(response, { outgoing, writeHead }, milliseconds) {
  writeHead(response);
  await pipeline(async function* () {
    for (const byte of response.body) {
      await pause(milliseconds);
      yield Buffer.of(byte);
    }
  }, outgoing);
}

/** @param {RecordedExchange} exchange */
async function sendForever({ outgoing }) {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  const block = `${JSON.stringify({ id: '0' })},`.repeat(1000);
  await pipeline(async function* () {
    yield '{"data":[';
    while (true) {
      yield block;
      await pause(1);
    }
  }, outgoing);
}

/**
 * Unreferenced, so that a pending pause does not keep the process alive after the service is closed.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function pause(milliseconds) {
  return sleep(milliseconds, undefined, { ref: false });
}
