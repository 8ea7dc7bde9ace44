import { isUtf8 } from 'node:buffer';
import { badRequest, RequestError } from '../http/request-error.ts';
import { ByteCollector } from '../limits/byte-collector.ts';
import type { ReceivedText } from './context.ts';
import { checkContent } from './http-checks.ts';

export const MAX_BODY_BYTES = 1_000_000;

export const TOO_LARGE = new RequestError(
  413,
  'PAYLOAD_TOO_LARGE',
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  { connection: 'close' },
);
const NOT_UTF8 = badRequest('The body is not UTF-8.');

/** The body of a request to another server than the guarded one, which has read it already. */
export async function receiveText(request: Request): Promise<ReceivedText> {
  try {
    checkContent(Object.fromEntries(request.headers));
    if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw TOO_LARGE;
    const body = await readBytes(request);
    const read = () => decodeBody(body);
    return { isArray: opensArray(body) === true, check() {}, read, take: read, drop() {} };
  } catch (error) {
    return refusedText(error);
  }
}

/** A body that is not read. */
export function refusedText(error: unknown): ReceivedText {
  const refuse = () => {
    throw error;
  };
  return { isArray: false, check: refuse, read: refuse, take: refuse, drop() {} };
}

async function readBytes(request: Request): Promise<Buffer> {
  // A framework may have parsed the body before; then there is only its text.
  if (!request.body) return limited(Buffer.from(await request.text()));
  const received = new ByteCollector();
  for await (const chunk of request.body) {
    received.append(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (received.length > MAX_BODY_BYTES) throw TOO_LARGE;
  }
  return received.content();
}

function limited(body: Buffer): Buffer {
  if (body.length > MAX_BODY_BYTES) throw TOO_LARGE;
  return body;
}

export function decodeBody(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw NOT_UTF8;
}

/** What may stand before JSON: blanks, and the byte order mark that some Windows libraries write. */
const BLANK: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));
const OPENING = '['.charCodeAt(0);

/** Whether JSON that begins with these bytes is an array; undefined if they do not tell. */
export function opensArray(bytes: Uint8Array): boolean | undefined {
  for (const byte of bytes) if (!BLANK.has(byte)) return byte === OPENING;
  return undefined;
}
