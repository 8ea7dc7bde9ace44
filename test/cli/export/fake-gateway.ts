import type { IncomingMessage, ServerResponse } from 'node:http';
import { startFakeServer } from '../fake-server.ts';

export interface FakeRow {
  readonly id: string;
  readonly name: string | null;
  readonly postalAddress: { readonly city: string | null } | null;
  readonly labels: readonly { readonly name: string }[];
}

export const QUERY =
  'query Q($a: ID = "1001") { debtors(administrationId: $a) { nodes { id name postalAddress { city } labels { name } } } }';

const NAMES = ['Noëlle', '=SUM(A1)', 'a "b", c', null, 'line\u2028separator', 'two\r\nlines', '👍', ''];

export function fakeRows(count: number): FakeRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    name: NAMES[index % NAMES.length] ?? null,
    postalAddress: index % 3 === 0 ? null : { city: `Utrecht ${index}` },
    labels: index % 4 === 0 ? [] : [{ name: 'one' }, { name: 'two' }],
  }));
}

export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: 'reset' }
  /** After so many bytes of the body, the connection is reset, or the body ends as if it were complete. */
  | { readonly kind: 'cut'; readonly bytes: number; readonly isClean?: boolean }
  | { readonly kind: 'line'; readonly rows: number; readonly line: string }
  | { readonly kind: 'stall'; readonly rows: number };

export type FakeGateway = Awaited<ReturnType<typeof startFakeGateway>>;

/** A gateway of one list. Each response has the next fault, and none after the last. */
export async function startFakeGateway(rows: readonly FakeRow[], faults: readonly Fault[] = []) {
  const server = await startFakeServer((response, { url }, index, incoming) =>
    answer(response, incoming, linesBehind(rows, url.searchParams), faults[index]),
  );
  const starts = () => server.requests.map(({ url }) => url.searchParams.get('after'));
  return { ...server, starts };
}

export function cursorOf(index: number): string {
  return `cursor+/${index}=`;
}

function linesBehind(rows: readonly FakeRow[], parameters: URLSearchParams): string[] {
  const after = parameters.get('after');
  const start = after === null ? 0 : rows.findIndex((_, index) => cursorOf(index) === after) + 1;
  const cursor = (index: number) => parameters.get('cursor') === '1' && { _cursor: cursorOf(index) };
  const lines = rows.map((row, index) => JSON.stringify({ ...row, ...cursor(index) })).slice(start);
  return [...lines, JSON.stringify({ end: true, rows: lines.length })];
}

function answer(
  response: ServerResponse,
  request: IncomingMessage,
  lines: readonly string[],
  fault?: Fault,
): void {
  if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
  if (fault?.kind === 'status') {
    response.writeHead(fault.status, fault.headers);
    return void response.end(fault.body);
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  if (fault?.kind === 'cut') {
    const part = Buffer.from(bodyOf(lines)).subarray(0, fault.bytes);
    if (fault.isClean) return void response.end(part);
    response.flushHeaders();
    return void response.write(part, () => response.destroy());
  }
  if (fault?.kind === 'line') return void response.end(bodyOf([...lines.slice(0, fault.rows), fault.line]));
  if (fault?.kind === 'stall') return void response.write(bodyOf(lines.slice(0, fault.rows)));
  response.end(bodyOf(lines));
}

function bodyOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
