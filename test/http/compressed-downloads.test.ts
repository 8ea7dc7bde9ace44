import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { Compression } from '../../src/http/compression.ts';
import { attachBody } from '../../src/http/response-body.ts';
import type { RequestHandler } from '../../src/server/http/connection.ts';
import { createGuardedServer } from '../../src/server/http/guarded-server.ts';
import { sendAnswer } from '../../src/server/http/send.ts';
import { Transfers } from '../../src/server/http/transfers.ts';
import { eventually } from '../support/eventually.ts';
import { times } from '../support/times.ts';

/** Half of its bits are random, and gzip does not look so far back as to find the same again. */
const PIECE = Buffer.from(randomBytes(32_000).toString('hex'));
/** More than the system's buffers hold, though compressed. */
const BODY = times(400, () => PIECE);

/** Serves one body to everybody who asks, and tells how each response ended. */
async function serve(windowMs: number, body = BODY, compression = new Compression()) {
  const ended: string[] = [];
  const downloads = new Transfers({ maxBytes: 200_000_000, windowMs, minBytes: 1 });
  const handle: RequestHandler = (_request, response, connection) => {
    const answer = new Response(null, { headers: { 'content-type': 'text/plain' } });
    attachBody(answer, { pieces: body, ownBytes: body.length, isCompressible: true });
    response.once('close', () => ended.push(response.writableFinished ? 'whole' : 'cut'));
    return sendAnswer({ response, answer, connection, downloads, compression });
  };
  const server = createGuardedServer({ handle, onFault: failTest });
  const { port } = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.drain(0));
  const start = (onResponse: (response: IncomingMessage) => void) => {
    const options = { port, host: '127.0.0.1', headers: { 'accept-encoding': 'gzip' }, agent: false };
    return get(options, onResponse).on('error', () => {});
  };
  const ask = () => new Promise<IncomingMessage>((resolve) => void start(resolve));
  return { ended, start, ask, compression };
}

function failTest(error: unknown): void {
  throw error;
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether one more large answer of this owner could be compressed now. */
function isFree(compression: Compression): boolean {
  const stream = compression.stream([Buffer.from('x')], 'gzip', '127.0.0.1');
  stream?.destroy();
  return stream !== undefined;
}

test('a compressed answer that is not read is cut, and gives its place back', async () => {
  const { ended, start, compression } = await serve(1_000);
  // Not awaited: on a busy machine a response may be cut before its headers have arrived.
  times(4, () => start((response) => response.on('error', () => {}).pause()));
  await eventually(() => expect(isFree(compression)).toBe(false));
  await eventually(() => expect(ended).toEqual(['cut', 'cut', 'cut', 'cut']));
  await eventually(() => expect(isFree(compression)).toBe(true));
});

test('a compressed answer that is read arrives, with a pause or without', async () => {
  const body = BODY.slice(0, 40);
  const { ended, ask } = await serve(60_000, body);
  const response = await ask();
  expect(response.headers['content-encoding']).toBe('gzip');
  response.pause();
  await eventually(() => expect(response.readableLength).toBeGreaterThan(0));
  const bytes = await read(response);
  expect(bytes.length).toBeLessThan(2_000_000);
  expect(gunzipSync(bytes).equals(Buffer.concat(body))).toBe(true);
  await eventually(() => expect(ended).toEqual(['whole']));
});

test('a disconnect in the middle of a compressed answer gives its place back', async () => {
  const { ended, ask, compression } = await serve(60_000);
  const leaving = await Promise.all(times(4, ask));
  expect(isFree(compression)).toBe(false);
  for (const response of leaving) response.on('error', () => {}).destroy();
  await eventually(() => expect(ended).toEqual(['cut', 'cut', 'cut', 'cut']));
  await eventually(() => expect(isFree(compression)).toBe(true));
});

test('beyond the large answers that are compressed at once, the next comes as it is', async () => {
  const { ask } = await serve(60_000);
  const first = await Promise.all(times(4, ask));
  const next = await ask();
  expect(next.headers).not.toHaveProperty('content-encoding');
  expect((await read(next)).length).toBe(400 * 64_000);
  for (const response of first) response.on('error', () => {}).destroy();
});

test('a disconnect while a short answer is compressed leaves the next one as it is', async () => {
  /** Compresses only when it is told to. */
  class Slow extends Compression {
    readonly waiting: (() => void)[] = [];
    override async compress(...args: Parameters<Compression['compress']>) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      return super.compress(...args);
    }
  }
  const compression = new Slow();
  const { ended, start, ask } = await serve(60_000, [Buffer.from('x'.repeat(20_000))], compression);
  const leaving = start(() => {});
  await eventually(() => expect(compression.waiting).toHaveLength(1));
  leaving.destroy();
  await eventually(() => expect(ended).toEqual(['cut']));
  compression.waiting.shift()?.();
  const staying = ask();
  await eventually(() => expect(compression.waiting).toHaveLength(1));
  compression.waiting.shift()?.();
  expect(gunzipSync(await read(await staying)).toString()).toBe('x'.repeat(20_000));
  await eventually(() => expect(ended).toEqual(['cut', 'whole']));
});
