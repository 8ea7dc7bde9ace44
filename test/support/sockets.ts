import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { BEARER } from './gateway.ts';

export function postOf(query: string, headers: Readonly<Record<string, string>> = BEARER): string {
  const body = JSON.stringify({ query });
  const lines = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The start of a request with a body of 90 bytes that stops after the first one. */
export const STALLED_BODY =
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{';

export interface RawConnection {
  readonly socket: Socket;
  readonly text: string;
  readonly closed: Promise<void>;
}

export async function openConnection(url: string, bytes = ''): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const connection = { socket, text: '', closed };
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      connection.text += chunk;
    });
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return connection;
}

export function statusesIn(text: string): number[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
}

/** Sends bytes that no HTTP client would send, and returns everything up to the end of the connection. */
export async function exchange(url: string, bytes: string): Promise<{ status: number; text: string }> {
  const connection = await openConnection(url, bytes);
  await connection.closed;
  const { text } = connection;
  const [status = 0] = text.startsWith('HTTP/1.1 ') ? statusesIn(text) : [];
  return { status, text };
}

/** Waits until the server has cut a connection that is not read: only writing to it shows that. */
export async function cut(socket: Socket): Promise<void> {
  if (socket.closed) return;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // Seldom, since what is written counts as progress.
  const poke = setInterval(() => socket.write('\r\n'), 400);
  await closed;
  clearInterval(poke);
}
