import { pipeline, Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { FairShare } from '../limits/fair-share.ts';
import { memoizeLast, preferredEncoding } from './negotiation.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** What one turn of a thread writes at most. */
const CHUNK_BYTES = 32_768;

const { BROTLI_PARAM_QUALITY } = zlib.constants;

/**
 * Cheap levels: an answer is sent once, or a few times. Of 83 kB of rows, Brotli at 1 leaves 20 % in 0.7 ms of a thread
 * and gzip at 1 leaves 21 % in 0.9 ms; at 4 and 6, both leave 17 % in 2 ms.
 */
const ENCODER_FACTORIES: { readonly [encoding in Encoding]?: () => unknown } = {
  br: () => zlib.createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => zlib.createGzip({ chunkSize: CHUNK_BYTES, level: 1 }),
  ...zstdFactory(zlib),
};

/** Best first, where a client likes several the same. */
const ENCODINGS = (['br', 'zstd', 'gzip'] as const).filter((encoding) => ENCODER_FACTORIES[encoding]);

function createEncoder(encoding: Encoding): Transform {
  const encoder = ENCODER_FACTORIES[encoding]?.();
  if (encoder instanceof Transform) return encoder;
  throw new TypeError(`This Node has no ${encoding}.`);
}

/** Later versions of Node have it. */
function zstdFactory(module: object): { readonly zstd?: () => unknown } {
  if (!('createZstdCompress' in module)) return {};
  const { createZstdCompress: create } = module;
  return typeof create === 'function' ? { zstd: () => create({ chunkSize: CHUNK_BYTES }) } : {};
}

/** Text with one character a byte, or bytes, in pieces. */
export type Pieces = readonly (string | Buffer)[];

/** Below, compressing takes longer than what it saves: the shorter answer fits into a few packets anyway. */
const MIN_BYTES = 8_000;

/** What a thread is given at a time, so that whoever else needs one soon gets a turn. */
const SLICE_BYTES = 128_000;

/** At once, since each takes about a megabyte. */
const MAX_BUFFERED = 32;
/** Of those that go on for as long as their clients read. */
const MAX_STREAMED = 8;

const preferenceOf = memoizeLast((acceptEncoding) => preferredEncoding(acceptEncoding, ENCODINGS));

/**
 * Compresses answers, in the threads of Node's pool. Where many are under way, the next one goes out as it is: that
 * costs its client bandwidth, and nobody else anything.
 */
export class Compression {
  readonly #isOn: boolean;
  readonly #buffered = new FairShare(MAX_BUFFERED);
  readonly #streamed = new FairShare(MAX_STREAMED);

  constructor(isOn = true) {
    this.#isOn = isOn;
  }

  /** The encoding for a body of so many bytes; undefined where it goes out as it is. */
  encodingFor(
    acceptEncoding: string | undefined,
    length: number,
    minBytes = MIN_BYTES,
  ): Encoding | undefined {
    if (!this.#isOn || acceptEncoding === undefined) return undefined;
    const { encoding, refusesIdentity } = preferenceOf(acceptEncoding);
    return length >= minBytes || refusesIdentity ? encoding : undefined;
  }

  /** The whole of it. Not to be cancelled: it takes milliseconds, and others may wait for the same. */
  async compress(body: Pieces, encoding: Encoding, owner: string): Promise<Buffer | undefined> {
    if (!this.#buffered.tryTake(owner)) return undefined;
    try {
      return await collect(encode(body, encoding));
    } finally {
      this.#buffered.release(owner);
    }
  }

  /** As it is read. To be destroyed where its reader leaves. */
  stream(body: Pieces, encoding: Encoding, owner: string): Transform | undefined {
    if (!this.#streamed.tryTake(owner)) return undefined;
    return encode(body, encoding).once('close', () => this.#streamed.release(owner));
  }
}

function encode(body: Pieces, encoding: Encoding): Transform {
  const encoder = createEncoder(encoding);
  // A fault shows at the encoder, to whoever reads from that.
  pipeline(Readable.from(slicesOf(body)), encoder, () => {});
  return encoder;
}

function* slicesOf(body: Pieces): Generator<Buffer> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      const slice = piece.slice(start, start + SLICE_BYTES);
      yield typeof slice === 'string' ? Buffer.from(slice, 'latin1') : slice;
    }
  }
}

function collect(encoder: Transform): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
    encoder.once('end', () => resolve(Buffer.concat(chunks)));
    encoder.once('error', reject);
  });
}
