import type { ServerResponse } from 'node:http';
import { startFakeServer } from '../fake-server.ts';

export interface FakeStream {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly parts?: readonly (string | Uint8Array | Promise<string>)[];
  /** The body ends; the connection is cut; or it stays, and nothing comes any more. */
  readonly ending?: 'end' | 'cut' | 'stall';
}

export type FakeGateway = Awaited<ReturnType<typeof startFakeGateway>>;

/** A gateway that sends the given streams. After the last one, each stream is silent and stays open. */
export async function startFakeGateway(streams: readonly FakeStream[]) {
  const server = await startFakeServer((response, _request, index) =>
    answer(response, streams[index] ?? { parts: [':\n\n'], ending: 'stall' }),
  );
  const starts = () => server.requests.map(({ body: { variables } }) => variables.after ?? variables.since);
  return { ...server, starts };
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

async function answer(response: ServerResponse, { status = 200, headers, parts = [], ending }: FakeStream) {
  response.writeHead(status, headers ?? EVENT_STREAM).flushHeaders();
  for (const part of parts) {
    const bytes = await part;
    await new Promise((resolve) => response.write(bytes, resolve));
  }
  if (ending === 'cut') response.destroy();
  else if (ending !== 'stall') response.end();
}

export interface FakeChange {
  readonly id: string;
  readonly name: string;
  readonly eventId: string;
  readonly cursor: string;
}

export function change(index: number, { id = `id-${index}`, version = 1 } = {}): FakeChange {
  return { id, name: `Noëlle ${index} 👍`, eventId: `event-${id}-${version}`, cursor: `cursor-${index}` };
}

const SEEN = { administrationId: '1001', seenAt: '2025-06-30T10:00:00.000Z' };

export function changeEvent(change: FakeChange, errors?: readonly object[]): string {
  const { id, name, eventId, cursor } = change;
  const changes = { eventId, cursor, kind: 'DEBTOR_CHANGED', ...SEEN, debtor: { id, name } };
  return next({ data: { changes }, errors }, cursor);
}

export function next(result: unknown, id?: string): string {
  return block('next', JSON.stringify(result), id);
}

export function failure(
  code: string,
  extensions: { readonly cursor?: string; readonly [name: string]: unknown },
): string {
  const errors = [{ message: `This is ${code}.`, extensions: { code, ...extensions } }];
  return next({ data: null, errors }, extensions.cursor);
}

export function complete(id?: string): string {
  return block('complete', '', id);
}

function block(event: string, data: string, id: string | undefined): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

export function lineOf({ id, name, eventId, cursor }: FakeChange): object {
  return { eventId, cursor, kind: 'DEBTOR_CHANGED', ...SEEN, record: { id, name } };
}
