import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { badRequest, overloaded } from '../../http/errors.ts';
import type { ByteCounter } from '../../limits/byte-counter.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { checkContent, checkMethod, checkUpgrade } from '../../request/http-checks.ts';
import { countValues, MAX_BODY_BYTES, TOO_LARGE } from '../../request/params.ts';
import type { Credentials } from '../../rest/session.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

const OVERLOADED = overloaded('Too many requests are arriving.', '1', { connection: 'close' });

const INCOMPLETE = badRequest('The body has not arrived.');

/** What a comma or a bracket of JSON may become on the heap: an object of its own, or a member with a new name. */
const VALUE_BYTES = 100;

/** How many bytes of bodies start in one turn of the event loop, and what each counts at least. */
const TURN_BYTES = 16_000;
const START_BYTES = 500;

interface BodyOptions {
  /** The key that shared limits count a request under. */
  readonly ownerOf: (credentials: Credentials, address: string | undefined) => string;
  readonly memory: ByteCounter;
  readonly telemetry: Pick<RequestTelemetry, 'shed'>;
}

/**
 * Receives the body of an operation, whatever server the gateway is mounted in. Its bytes count for its caller until the
 * operation has ended.
 */
export function useRequestBody({ ownerOf, memory, telemetry }: BodyOptions): GatewayPlugin {
  let started = 0;
  /** Hundreds may arrive at once, and a long one may take a tenth of a second: others are served in between. */
  function awaitTurn(bytes: number): Promise<void> | undefined {
    if (started >= TURN_BYTES) return nextTurn().then(() => awaitTurn(bytes));
    if (started === 0) {
      setImmediate(() => {
        started = 0;
      });
    }
    started += Math.max(START_BYTES, bytes);
    return undefined;
  }

  async function receive(request: Request, context: GatewayContext): Promise<void> {
    const { client, req, owner, endings, observed } = context;
    let held = 0;
    endings.push(() => memory.release(owner, held));
    const hold = (bytes: number) => {
      if (!memory.tryTake(owner, bytes)) {
        observed.isShed = true;
        telemetry.shed('uploads');
        throw OVERLOADED;
      }
      held += bytes;
    };
    const body = client && req ? await readNode(req, hold) : await readWeb(request, hold);
    hold(countValues(body) * VALUE_BYTES);
    const turn = awaitTurn(body.length);
    if (turn) await turn;
    context.body = body;
  }

  return {
    onRequestParse({ request, serverContext: context }) {
      const { headers, client, req, observed } = context;
      observed.isOperation = true;
      checkUpgrade(headers);
      checkMethod(request.method);
      context.credentials = credentialsOf(headers);
      context.owner = ownerOf(context.credentials, client?.address ?? req?.socket?.remoteAddress);
      if (request.method === 'GET') return awaitTurn(request.url.length);
      checkContent(headers);
      if (Number(headers['content-length']) > MAX_BODY_BYTES) throw TOO_LARGE;
      return receive(request, context);
    },
  };
}

type Hold = (bytes: number) => void;

function readNode(req: IncomingMessage, hold: Hold): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = new GrowingBuffer(hold);
    // Not an async iterator, which would close the connection before a refusal could be sent.
    req.on('data', (chunk: Buffer) => {
      try {
        received.append(chunk);
      } catch (error) {
        req.removeAllListeners('data').pause();
        reject(error);
      }
    });
    req.on('end', () => resolve(received.content()));
    req.on('error', () => reject(INCOMPLETE));
  });
}

async function readWeb(request: Request, hold: Hold): Promise<Buffer> {
  const received = new GrowingBuffer(hold);
  // A framework may have parsed the body before; then there is only its text.
  for await (const chunk of request.body ?? [Buffer.from(await request.text())]) received.append(chunk);
  return received.content();
}

/** One buffer rather than chunks, each of which is an object that keeps all of the memory it was read into. */
class GrowingBuffer {
  readonly #hold: Hold;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(hold: Hold) {
    this.#hold = hold;
  }

  append(chunk: Uint8Array): void {
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

  content(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
