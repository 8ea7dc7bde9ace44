import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoCall, Exchange } from './exchange.ts';
import { type DemoResponse, jsonResponse, parseRequestJson } from './http.ts';

/** What is sent instead of the regular response: JSON with status 200, unless it says otherwise. */
interface OtherResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  contentType?: string;
}

/** A fault injected into the next matching calls, `times` times (once by default). */
export type Fault = {
  match?: { method?: string; path?: string | RegExp; authorization?: string };
  times?: number;
} & (
  | { kind: 'delay'; milliseconds: number }
  /** A response that is computed at once but sent later, when it may be stale. */
  | { kind: 'stale'; until: Promise<unknown> }
  | ({ kind: 'status'; status: number } & OtherResponse)
  | ({ kind: 'body'; body: string | Buffer } & OtherResponse)
  | { kind: 'reset' }
  | { kind: 'truncate' }
  | { kind: 'hang' }
  | { kind: 'drip'; milliseconds: number }
  | { kind: 'endless' }
  | { kind: 'rewrite'; rewrite: (body: unknown) => unknown }
);

export function createFaultQueue() {
  const queue: { fault: Fault; left: number }[] = [];
  return {
    add: (fault: Fault) => queue.push({ fault, left: fault.times ?? 1 }),
    clear(authorization?: string) {
      const others = queue.filter(({ fault }) => fault.match?.authorization !== authorization);
      queue.splice(0, queue.length, ...(authorization === undefined ? [] : others));
    },
    take(call: DemoCall): Fault | undefined {
      const entry = queue.find(({ fault, left }) => left > 0 && matches(fault, call));
      if (entry) entry.left -= 1;
      return entry?.fault;
    },
  };
}

/** `respond` computes the regular response, and applies writes; faults that do not call it leave the data unchanged. */
export async function misbehave(
  fault: Fault,
  respond: () => DemoResponse,
  exchange: Exchange,
): Promise<void> {
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

function matches({ match = {} }: Fault, call: DemoCall): boolean {
  const { method = call.method, path = call.path, authorization } = match;
  if (authorization !== undefined && authorization !== call.headers.authorization) return false;
  return method === call.method && (typeof path === 'string' ? path === call.path : path.test(call.path));
}

function otherResponse({ status = 200, headers, body, contentType = 'application/json' }: OtherResponse) {
  const content = body ?? JSON.stringify({ code: 'fault', message: `Answered ${status} on request.` });
  return { status, headers: { 'content-type': contentType, ...headers }, body: Buffer.from(content) };
}

function truncate(response: DemoResponse, { outgoing, writeHead, disconnect }: Exchange): void {
  writeHead(response);
  outgoing.write(response.body.subarray(0, response.body.length / 2), () => disconnect('close'));
}

async function drip(
  response: DemoResponse,
  { outgoing, writeHead }: Exchange,
  milliseconds: number,
): Promise<void> {
  writeHead(response);
  await pipeline(async function* () {
    for (const byte of response.body) {
      await pause(milliseconds);
      yield Buffer.of(byte);
    }
  }, outgoing);
}

async function sendForever({ outgoing }: Exchange): Promise<void> {
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

/** Unreferenced, so that a pending pause does not keep the process alive after the service is closed. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}
