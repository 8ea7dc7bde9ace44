import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { FairShare } from '../limits/fair-share.ts';
import { memoizeLast, preferredEncoding } from './negotiation.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** Maximum output of one thread pool job. */
const CHUNK_BYTES = 32_768;

const { BROTLI_PARAM_QUALITY, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS, Z_SYNC_FLUSH, Z_NO_FLUSH } =
  zlib.constants;

/** Only later versions of Node have zstd. */
interface LaterZlib {
  readonly createZstdCompress?: (options: object) => Transform;
  readonly constants: { readonly Z_NO_FLUSH: number; readonly ZSTD_e_flush?: number };
}
const { createZstdCompress, constants }: LaterZlib = zlib;
const CHUNKS = { chunkSize: CHUNK_BYTES };
const ZSTD_FLUSHED = { ...CHUNKS, flush: constants.ZSTD_e_flush };

/**
 * Low levels, because a response is sent once or a few times. For 83 kB of rows, Brotli at level 1 compresses to 20 %
 * in 0.7 ms of thread time, and gzip at level 1 to 21 % in 0.9 ms; at levels 4 and 6, both reach 17 % in 2 ms.
 */
const ENCODERS: { readonly [encoding in Encoding]?: ((isFlushed: boolean) => Transform) | undefined } = {
  br: (isFlushed) =>
    zlib.createBrotliCompress({
      chunkSize: CHUNK_BYTES,
      params: { [BROTLI_PARAM_QUALITY]: 1 },
      flush: isFlushed ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS,
    }),
  gzip: (isFlushed) =>
    zlib.createGzip({ chunkSize: CHUNK_BYTES, level: 1, flush: isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH }),
  zstd: createZstdCompress && ((isFlushed) => createZstdCompress(isFlushed ? ZSTD_FLUSHED : CHUNKS)),
};

/** In order of preference, for clients that weight several equally. */
const ENCODINGS = (['br', 'zstd', 'gzip'] as const).filter((encoding) => ENCODERS[encoding]);

export type Pieces = readonly Buffer[];

/** Below this size compression takes longer than it saves: a short response fits into a few packets anyway. */
const MIN_BYTES = 8_000;

/** Maximum input of one thread pool job, so that other users of the pool do not wait long. */
const SLICE_BYTES = 128_000;

/** Concurrent compressions into a buffer; each takes about a megabyte. */
const MAX_BUFFERED = 32;
/** Concurrent streamed compressions, which last as long as their clients read. */
const MAX_STREAMED = 8;

const preferenceOf = memoizeLast((acceptEncoding) => preferredEncoding(acceptEncoding, ENCODINGS));

/** In Node's thread pool. With too many in flight, the next response is sent as it is: that costs only bandwidth. */
export class Compression {
  readonly #isOn: boolean;
  readonly #buffered = new FairShare(MAX_BUFFERED);
  readonly #streamed = new FairShare(MAX_STREAMED);

  constructor(isOn = true) {
    this.#isOn = isOn;
  }

  /** The encoding for a body of this length; undefined to send it uncompressed. */
  encodingFor(acceptEncoding: string | undefined, length: number, minBytes = MIN_BYTES) {
    if (!this.#isOn || acceptEncoding === undefined) return undefined;
    const { encoding, refusesIdentity } = preferenceOf(acceptEncoding);
    return length >= minBytes || refusesIdentity ? encoding : undefined;
  }

  /** Not cancellable: it takes milliseconds, and other requests may wait for the same result. */
  async compress(body: Pieces, encoding: Encoding, owner: string): Promise<Buffer | undefined> {
    if (!this.#buffered.tryTake(owner)) return undefined;
    try {
      return Buffer.concat(await encode(body, encoding).toArray());
    } finally {
      this.#buffered.release(owner);
    }
  }

  /** Compresses while the output is read. The caller must destroy the stream if it stops reading. */
  stream(body: Pieces | AsyncIterable<Buffer>, encoding: Encoding, owner: string): Transform | undefined {
    if (!this.#streamed.tryTake(owner)) return undefined;
    return encode(body, encoding).once('close', () => this.#streamed.release(owner));
  }
}

function encode(body: Pieces | AsyncIterable<Buffer>, encoding: Encoding): Transform {
  // A body that is still being made may take minutes, or never end.
  const isMade = !(Symbol.asyncIterator in body);
  // Flushed, what is written goes out at once, rather than with what follows.
  const encoder = ENCODERS[encoding]?.(!isMade);
  if (encoder === undefined) throw new TypeError(`This Node has no ${encoding}.`);
  // Errors are emitted by the encoder, to its consumer.
  pipeline(Readable.from(isMade ? slicesOf(body) : body), encoder, () => {});
  return encoder;
}

function* slicesOf(body: Pieces): Generator<Buffer> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      yield piece.subarray(start, start + SLICE_BYTES);
    }
  }
}

/** The compressed bodies of a cached response, each compressed once. */
export class CompressedBodies {
  readonly #bodies = new Map<string, Promise<Buffer | undefined>>();
  readonly #onGrowth: (bytes: number) => void;

  constructor(onGrowth: (bytes: number) => void = () => {}) {
    this.#onGrowth = onGrowth;
  }

  /** If compression fails, the next request tries again. */
  async getOrCreate(name: string, create: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    let body = this.#bodies.get(name);
    if (body === undefined) {
      body = create();
      this.#bodies.set(name, body);
      const created = await body.catch(() => undefined);
      if (created === undefined) this.#bodies.delete(name);
      else this.#onGrowth(created.length);
    }
    return body;
  }
}
