import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { memoizeLast } from '../memoize.ts';

export type Encoding = 'br' | 'gzip';

/** In order of preference, for clients that weight both equally. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** Below this size compression takes longer than it saves: a short response fits into a few packets anyway. */
const MIN_BYTES = 8_000;

const getPreferredEncoding = memoizeLast((acceptEncoding) => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const accepted = negotiator.encodings([...ENCODINGS, 'identity']);
  const choice = acceptEncoding?.includes('q=') ? accepted.slice(0, 1) : accepted;
  return ENCODINGS.find((encoding) => choice.includes(encoding));
});

export class Compression {
  constructor(private readonly isOn = true) {}

  encodingFor(acceptEncoding: string | undefined, length: number, minBytes = MIN_BYTES) {
    if (!this.isOn || acceptEncoding === undefined || length < minBytes) return undefined;
    return getPreferredEncoding(acceptEncoding);
  }
}

/** Low levels: 83 kB of rows shrink to 20 % in less than 1 ms, and to 17 % in 2 ms at levels 4 and 6. */
const BROTLI = { chunkSize: 32_768, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { chunkSize: 32_768, level: 1 };

const brotliWhole = promisify(brotliCompress);
const gzipWhole = promisify(gzip);

export function compress(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip' ? gzipWhole(body, GZIP) : brotliWhole(body, BROTLI);
}

/** Flushes each write at once, so that events do not wait for later ones. */
export function createEncoder(encoding: Encoding): Transform {
  return encoding === 'gzip'
    ? createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH });
}
