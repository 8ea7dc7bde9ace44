import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { badRequest, overloaded, RequestError } from '../http/errors.ts';
import type { ByteCounter } from '../limits/byte-counter.ts';

export const MAX_BODY_BYTES = 512_000;
const MAX_VALUES = 50_000;
/** What a comma or a bracket of JSON may become on the heap: an object of its own, or a member with a new name. */
const VALUE_BYTES = 100;

const TOO_LARGE = new RequestError(
  413,
  'PAYLOAD_TOO_LARGE',
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  { connection: 'close' },
);
const TOO_MANY_VALUES = badRequest(`The body has more than ${MAX_VALUES} commas and brackets.`);
const INCOMPLETE = badRequest('The body has not arrived.');
const OVERLOADED = overloaded('Too many requests are arriving.', '1', { connection: 'close' });

/** Node's request of the gateway's own server, or the one that another server has made. */
type Source =
  | { readonly req: IncomingMessage; readonly request?: undefined }
  | { readonly request: Request; readonly req?: undefined };

/** Reads a body, which counts for its caller until `release` is called. */
export class BodyReader {
  readonly #memory: ByteCounter;
  readonly #owner: string;
  readonly #onFull: () => void;
  #held = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(memory: ByteCounter, owner: string, onFull: () => void) {
    this.#memory = memory;
    this.#owner = owner;
    this.#onFull = onFull;
  }

  async read({ req, request }: Source, contentLength: number): Promise<Buffer> {
    if (contentLength > MAX_BODY_BYTES) throw TOO_LARGE;
    if (req) await this.#readNode(req);
    // A framework may have parsed the body before; then there is only its text.
    else for await (const chunk of request.body ?? [Buffer.from(await request.text())]) this.#append(chunk);
    const body = this.#buffer.subarray(0, this.#length);
    this.#hold(countValues(body) * VALUE_BYTES);
    return body;
  }

  release(): void {
    this.#memory.release(this.#owner, this.#held);
  }

  #readNode(req: IncomingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      // Not an async iterator, which would close the connection before a refusal could be sent.
      req.on('data', (chunk: Buffer) => {
        try {
          this.#append(chunk);
        } catch (error) {
          req.removeAllListeners('data').pause();
          reject(error);
        }
      });
      req.on('end', resolve);
      req.on('error', () => reject(INCOMPLETE));
    });
  }

  /** Into one buffer: chunks are objects that each keep all of the memory they were read into. */
  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > MAX_BODY_BYTES) throw TOO_LARGE;
    if (length > this.#buffer.length) {
      const size = Math.max(length, 2 * this.#buffer.length);
      this.#hold(size - this.#buffer.length);
      const grown = Buffer.allocUnsafe(size);
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  #hold(bytes: number): void {
    if (!this.#memory.tryTake(this.#owner, bytes)) {
      this.#onFull();
      throw OVERLOADED;
    }
    this.#held += bytes;
  }
}

const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

/** Counts the commas and brackets of JSON before it is parsed: each may become an object. */
function countValues(body: Buffer): number {
  let values = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  if (values > MAX_VALUES) throw TOO_MANY_VALUES;
  return values;
}

/** How many bytes of operations start in one turn of the event loop, and what each counts at least. */
const TURN_BYTES = 16_000;
const START_BYTES = 500;
let started = 0;

/** Hundreds may arrive at once, and a long one may take a tenth of a second: others are served in between. */
export function turnToStart(bytes: number): Promise<void> | undefined {
  if (started >= TURN_BYTES) return nextTurn().then(() => turnToStart(bytes));
  if (started === 0) {
    setImmediate(() => {
      started = 0;
    });
  }
  started += Math.max(START_BYTES, bytes);
  return undefined;
}
