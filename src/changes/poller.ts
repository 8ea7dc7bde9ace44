import { compositeKey } from '../composite-key.ts';
import { jittered } from '../jitter.ts';
import { getOrCreate } from '../memoize.ts';
import { asError, RestError } from '../rest/errors.ts';
import { type ChangeReader, type PollTarget, scanChanges } from './scan.ts';

/** The first scan starts this much earlier: the service reports its time in whole seconds, and late. */
const CLOCK_PRECISION_MS = 2_000;

/** Limit the pause between attempts: by our own backoff, and by `Retry-After`. */
const MAX_BACKOFF_MS = 60_000;
const MAX_RETRY_AFTER_MS = 300_000;

/** Polls one kind of change. A new reader polls alone until it has caught up, and then joins the shared poller. */
export class Poller {
  readonly #key: string;
  readonly #readers = new Set<ChangeReader>();
  #isCaughtUp = false;

  constructor(
    private readonly target: PollTarget,
    private readonly sharedPollers: Map<string, Poller>,
  ) {
    this.#key = compositeKey(target.subscriber.credential, target.administrationId, target.source.kind);
  }

  /** Adds a reader. If the reader starts now, resolves after a scan that finds the present. */
  async start(reader: ChangeReader): Promise<this> {
    const { kind, retentionMs = Number.POSITIVE_INFINITY } = this.target.source;
    const { watermark } = reader.position;
    if (Date.now() - watermark > retentionMs)
      throw new RestError(
        'CHANGES_EXPIRED',
        `The service no longer lists all of ${kind} since then. Read the lists again, and subscribe without \`since\` and \`after\`.`,
      );
    this.#add(reader);
    if (!Number.isFinite(watermark)) await this.#scan();
    return this;
  }

  /** Scans until all readers have closed or joined a shared poller. */
  async run(): Promise<void> {
    const { pollMs, stopped } = this.target;
    let waitMs = this.#isCaughtUp ? pollMs : 0;
    let failures = 0;
    // A stopped poller must not become the shared one.
    while (!stopped.isAborted && !(this.#isCaughtUp && this.#joinOthers())) {
      await stopped.pause(Math.round(waitMs), { ref: false });
      if (stopped.isAborted) return;
      try {
        await this.#scan();
        failures = 0;
        waitMs = jittered(pollMs, 0.9, 1.1);
      } catch (error) {
        this.#isCaughtUp = false;
        failures += 1;
        waitMs = jittered(retryDelay(error, pollMs, failures), 1, 1.2);
        for (const { stream } of this.#readers) stream.fail(asError(error), waitMs);
      }
    }
  }

  #add(reader: ChangeReader): void {
    this.#readers.add(reader);
    reader.stream.closing.onAbort(() => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      this.target.stopped.abort('closed');
      if (this.sharedPollers.get(this.#key) === this) this.sharedPollers.delete(this.#key);
    });
  }

  async #scan(): Promise<void> {
    const { lookbackMs, pollMs, source } = this.target;
    const readers = [...this.#readers];
    const startedAt = performance.now();
    // A single reader resumes its scan. Several start at the earliest watermark, and each skips changes that it has
    // already sent.
    const earliest = Math.min(...readers.map(({ position }) => position.watermark));
    const watermark = Number.isFinite(earliest) ? earliest : Date.now() - lookbackMs - CLOCK_PRECISION_MS;
    const scanPosition = { watermark, scan: readers.length === 1 ? readers[0]?.position.scan : undefined };
    const start = await scanChanges(this.target, scanPosition, readers).catch((error: unknown) => {
      // The record to resume from no longer exists, so the scan restarts.
      if (scanPosition.scan && error instanceof RestError && error.code === 'BAD_USER_INPUT')
        return scanChanges(this.target, { watermark }, readers);
      throw withAdvice(error, source.kind);
    });
    for (const reader of readers) reader.completeScan(start, lookbackMs);
    this.#isCaughtUp = !scanPosition.scan && performance.now() - startedAt < Math.max(lookbackMs, 2 * pollMs);
  }

  /** Returns false if there is no shared poller yet: this one then becomes the shared poller. */
  #joinOthers(): boolean {
    const shared = getOrCreate(this.sharedPollers, this.#key, () => this);
    if (shared === this) return false;
    for (const reader of this.#readers) shared.#add(reader);
    return true;
  }
}

/** Returns the pause after consecutive failures: at least `Retry-After`, up to a limit. */
export function retryDelay(error: unknown, pollMs: number, failures: number): number {
  const retryAfterMs = error instanceof RestError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.max(
    Math.min(pollMs * 2 ** failures, MAX_BACKOFF_MS),
    Math.min(retryAfterMs, MAX_RETRY_AFTER_MS),
  );
}

function withAdvice(error: unknown, kind: string): unknown {
  if (!(error instanceof RestError) || !['FORBIDDEN', 'NOT_FOUND'].includes(error.code)) return error;
  const { code, message, upstream } = error;
  const advice = `Check the administration. Leave ${kind} out of \`kinds\` if the token may read the administration, but not this list.`;
  return new RestError(code, `${message.replace(/\.?$/, '.')} ${advice}`, { upstream, cause: error });
}
