// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleRequest } from '../../dist/demo/endpoints.js';
import {
  isJsonObject,
  jsonResponse,
  parseRequestJson,
  readRequest,
  readRequestBody,
  splitTarget,
} from '../../dist/demo/http.js';
import { createServiceState } from '../../dist/demo/service-state.js';

/** @typedef {import('../../dist/demo/data/generate.js').DemoData} DemoData */
/** @typedef {import('../../dist/demo/http.js').DemoRequest} DemoRequest */
/** @typedef {import('../../dist/demo/http.js').DemoResponse} DemoResponse */
/** @typedef {ReturnType<typeof createCall>} DemoCall A received request, for tests to inspect. */
/** @typedef {Awaited<ReturnType<typeof startDemoService>>} DemoService */
/** @typedef {import('./rest-faults.ts').Fault} Fault */
/**
 * The lists for which the description does not specify the names of parameters.
 * @typedef {'declarationLines' | 'deletedCreditCases' | 'deletedPayments'} RenameableList
 */
/**
 * @typedef {object} OwnOptions
 * @property {number} [port] 0, the default, uses any free port.
 * @property {string} [host]
 * @property {{ [list in RenameableList]?: Readonly<Record<string, string>> }} [parameterNames]
 *   Other parameter names for a list, by their default names.
 * @property {number} [maxPerPage] Pages have no more rows, whatever is asked for.
 */
/** @typedef {import('../../dist/demo/service-state.js').ServiceStateOptions & OwnOptions} DemoOptions */

/** Maximum number of recorded calls: more than any test needs, and bounded for a service that runs for weeks. */
const LOG_LENGTH = 20_000;

/**
 * The embedded REST service, which records the calls that it gets, and lets some of them fail. JavaScript, since the
 * bench uses it too.
 * @param {DemoOptions} [options]
 */
export async function startDemoService(options = {}) {
  const { port = 0, host = '127.0.0.1', parameterNames, maxPerPage, ...stateOptions } = options;
  const world = createServiceState(stateOptions);
  /** @type {DemoCall[]} */
  const calls = [];
  const faults = createFaultQueue();
  const server = createServer(async (incoming, outgoing) => {
    const call = createCall(incoming);
    calls.push(call);
    if (calls.length > LOG_LENGTH) calls.splice(0, LOG_LENGTH / 2);
    const fault = faults.take(call);
    const recorded = record(call, outgoing, world.now);
    try {
      const request = await readRequest(incoming);
      recordBody(call, request);
      const { query, unknown } = translate(request, parameterNames, maxPerPage);
      const respond = () =>
        unknown && world.unknownParameters === 'reject'
          ? jsonResponse(400, { code: 'bad_request', message: `There is no parameter ${unknown} here.` })
          : handleRequest({ ...request, query }, world);
      if (fault) await misbehave(fault, respond, recorded);
      else recorded.send(respond());
    } catch (error) {
      // Either the client disconnected, and the response is discarded, or the service or a fault has a bug.
      if (outgoing.headersSent) return;
      recorded.send(jsonResponse(500, { code: 'internal_error', message: String(error) }));
    }
  });
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The service listens on no port.');
  return {
    url: `http://${host}:${address.port}`,
    /** The records; writes change them. */
    data: world.data,
    /** The requests in order of arrival; the oldest are dropped when there are too many. */
    calls,
    misbehave: (/** @type {Fault} */ fault) => void faults.add(fault),
    /** Removes the remaining faults, or those of one caller alone. */
    behave: faults.clear,
    /** Stops at once and destroys open connections. */
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @type {Readonly<Record<string, RenameableList>>} */
const RENAMEABLE = {
  '/v1/health_care/declaration_lines': 'declarationLines',
  '/v1/credit_cases/deleted': 'deletedCreditCases',
  '/v1/payments/deleted': 'deletedPayments',
};

/**
 * The query as the embedded service takes it, with its default names and a smaller page; and a default name that was
 * sent though the parameter has another one.
 * @param {DemoRequest} request
 * @param {OwnOptions['parameterNames']} parameterNames
 * @param {number | undefined} maxPerPage
 */
function translate({ method, path, query }, parameterNames = {}, maxPerPage = undefined) {
  const list = RENAMEABLE[path];
  const renamed = Object.entries((list && parameterNames[list]) ?? {});
  if (renamed.length === 0 && maxPerPage === undefined) return { query, unknown: undefined };
  const sent = new URLSearchParams(query);
  const translated = new URLSearchParams(sent);
  for (const [name] of renamed) translated.delete(name);
  for (const [name, other] of renamed) {
    const value = sent.get(other);
    translated.delete(other);
    if (value !== null) translated.set(name, value);
  }
  if (maxPerPage && method === 'GET') {
    translated.set('per_page', String(Math.min(Number(translated.get('per_page') ?? 100), maxPerPage)));
  }
  return { query: String(translated), unknown: renamed.find(([name]) => sent.has(name))?.[0] };
}

/** @typedef {ReturnType<typeof record>} RecordedExchange */

/**
 * Updates the recorded call, whichever side ends the exchange.
 * @param {DemoCall} call
 * @param {import('node:http').ServerResponse} outgoing
 * @param {() => number} now
 */
function record(call, outgoing, now) {
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
    // Use the clock of the records' timestamps, which clients may compare.
    const date = new Date(now()).toUTCString();
    const { status, headers, body } = response;
    outgoing.writeHead(status, { date, ...headers, 'content-length': body.length });
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
function createCall({ method = 'GET', url = '/', headers, socket }) {
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
    /** Which connection it came by. */
    port: socket.remotePort,
    /** The parsed JSON or form; undefined if it is neither. */
    body: /** @type {unknown} */ (undefined),
    /** The request target as sent. */
    url,
    /** Status of the response; 0 until it is sent, or if it was not sent completely. */
    status: 0,
    /** The client closed the call before the response ended. */
    aborted: false,
  };
}

/**
 * Adds the body once it has been received.
 * @param {DemoCall} call
 * @param {DemoRequest} request
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

/**
 * Unreferenced, so that a pending pause does not keep the process alive after the service is closed.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function pause(milliseconds) {
  return sleep(milliseconds, undefined, { ref: false });
}
