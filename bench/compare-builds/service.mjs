import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleRequest } from '../../dist/demo/endpoints.js';
import { readRequest } from '../../dist/demo/http.js';
import { createServiceState } from '../../dist/demo/service-state.js';
import { answerFault, changeRows } from './faults.mjs';

/** Credentials carry the run that they belong to; the embedded service never sees it. */
const MARK = /-r(\d+)x/g;
export const marked = (credential, run) => `${credential}-r${run}x`;

/** Stands still during a comparison, and tokens issued at it are still valid at its end. */
const NOW = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const now = () => NOW;
export const records = createServiceState({ now }).data;
/** Lists that writes change. */
const copies = (list) => records[list].map((record) => ({ ...record }));

/** How long to wait for calls that belong together. */
const GATHER_MS = 2;

/**
 * Starts the embedded REST service of one build. Every run has records, tokens, faults and calls of its own, so that runs
 * neither disturb each other nor depend on their order.
 */
export async function startService() {
  const runs = new Map();
  const server = createServer(async (incoming, outgoing) => {
    const { request, number } = unmark(await readRequest(incoming));
    const run = runs.get(number) ?? createRun({});
    const call = describeCall(request);
    run.calls.push(call);
    const whole = `${call.text} ${call.fields}`;
    const occurrence = run.seen.get(whole) ?? 0;
    run.seen.set(whole, occurrence + 1);
    await run.wait(whole);
    const fault = answerFault(run.faults, call.text, occurrence);
    const answer = fault.status ? fault : changeRows(run.faults, request, handleRequest(request, run.world));
    const headers = { date: new Date(NOW).toUTCString(), 'content-length': answer.body.length };
    outgoing.writeHead(answer.status, { ...answer.headers, ...headers });
    const half = answer.body.subarray(0, answer.body.length / 2);
    if (fault.cutOff) outgoing.write(half, () => outgoing.destroy());
    else outgoing.end(answer.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    open: (number, faults) => runs.set(number, createRun(faults)),
    /** The calls since it was asked last. */
    takeCalls: (number) => runs.get(number).calls.splice(0),
    close: (number) => runs.delete(number),
    stop: () => server.close() && server.closeAllConnections(),
  };
}

function createRun(faults) {
  const data = { ...records, tasks: copies('tasks'), messages: copies('messages') };
  return {
    faults,
    calls: [],
    seen: new Map(),
    world: createServiceState({ now, data }),
    wait: createTurns(),
  };
}

/** Calls that come together are answered one by one, in the order of their texts: what is cached may depend on it. */
function createTurns() {
  let waiting = [];
  async function answerInOrder() {
    for (let known = 0; waiting.length > 0; ) {
      known = waiting.length;
      await sleep(GATHER_MS);
      if (waiting.length > known) continue;
      const together = waiting.sort((one, other) => (one.place < other.place ? -1 : 1));
      waiting = [];
      for (const { begin } of together) {
        begin();
        await sleep(1);
      }
    }
  }
  let turns = Promise.resolve();
  return (place) =>
    new Promise((begin) => {
      waiting.push({ place, begin });
      turns = turns.then(answerInOrder);
    });
}

function unmark(request) {
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+)$/.exec(request.authorization) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const plain = isBasic ? Buffer.from(credential, 'base64').toString() : credential;
  const text = request.body.toString();
  const [, number] = [...plain.matchAll(MARK), ...text.matchAll(MARK)][0] ?? [];
  const clean = plain.replace(MARK, '');
  const authorization = `${scheme} ${isBasic ? Buffer.from(clean).toString('base64') : clean}`;
  return {
    number: Number(number ?? 0),
    request: { ...request, authorization, body: Buffer.from(text.replace(MARK, '')) },
  };
}

/** A call as text, and what it asks for in `fields`, both with lists in a fixed order. */
function describeCall({ method, path, query, mediaType, body }) {
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const { fields, ...others } = Object.fromEntries(new URLSearchParams(isForm ? String(body) : query));
  const given = Object.entries(others).map(([name, value]) => `${name}=${value.split(',').sort()}`);
  const only = JSON.parse(fields ?? '{"only":["all"]}').only.map((item) => JSON.stringify(item));
  const text = `${method} ${path} ${given.sort().join(' ')}${isForm ? '' : body}`.trim();
  return { text, fields: only.sort().join(' ') };
}
