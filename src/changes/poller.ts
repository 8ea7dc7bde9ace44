import { compositeKey } from '../composite-key.ts';
import { jittered } from '../jitter.ts';
import { getOrCreate } from '../memoize.ts';
import { asError, RestError } from '../rest/errors.ts';
import { type ChangeReader, type PollTarget, scanChanges } from './scan.ts';

/** A first walk starts this much earlier: the service tells its time in whole seconds, and later than it was. */
const CLOCK_GRAIN_MS = 2_000;

/** Between two attempts while the service cannot be read: by itself, and at most if it asks for more. */
const MAX_RETRY_MS = 60_000;
const MAX_ASKED_MS = 300_000;

/**
 * Reads the changes of one kind in one administration, again and again from a mark, which moves on only behind a
 * complete walk. Each reader begins alone, at its own pace; at the present it joins the others of its credential.
 */
export class Poller {
  readonly #name: string;
  readonly #readers = new Set<ChangeReader>();
  /** Whether what it reads next is what happens now. */
  #isCaughtUp = false;

  /** `live`: those who read what happens now, by the names of their feeds. */
  constructor(
    private readonly target: PollTarget,
    private readonly sharedPollers: Map<string, Poller>,
  ) {
    this.#name = compositeKey(target.caller.credential, target.administrationId, target.source.kind);
  }

  /** Resolves once the reader is where it starts, which takes a walk if that is now. */
  async start(reader: ChangeReader): Promise<this> {
    const { kind, retentionMs = Number.POSITIVE_INFINITY } = this.target.source;
    const { watermark } = reader.position;
    if (Date.now() - watermark > retentionMs)
      throw new RestError(
        'CHANGES_EXPIRED',
        `The service no longer lists all of ${kind} since then. Read everything anew, and subscribe without \`since\` and \`after\`.`,
      );
    this.#add(reader);
    if (!Number.isFinite(watermark)) await this.#scan();
    return this;
  }

  /** Walks again and again, until nobody is left, or all have joined others. */
  async run(): Promise<void> {
    const { pollMs, stopped } = this.target;
    let waitMs = this.#isCaughtUp ? pollMs : 0;
    let failures = 0;
    // Nobody may join one that has ended, whatever it was doing then.
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
      if (this.sharedPollers.get(this.#name) === this) this.sharedPollers.delete(this.#name);
    });
  }

  async #scan(): Promise<void> {
    const { lookbackMs, pollMs, source } = this.target;
    const readers = [...this.#readers];
    const startedAt = performance.now();
    // One reader goes on where it is. Several walk from the earliest mark: each knows what it was told.
    const earliest = Math.min(...readers.map(({ position }) => position.watermark));
    const watermark = Number.isFinite(earliest) ? earliest : Date.now() - lookbackMs - CLOCK_GRAIN_MS;
    const position = { watermark, scan: readers.length === 1 ? readers[0]?.position.scan : undefined };
    const start = await scanChanges(this.target, position, readers).catch((error: unknown) => {
      // The record that it was to go on from is gone: the walk begins anew.
      if (position.scan && error instanceof RestError && error.code === 'BAD_USER_INPUT')
        return scanChanges(this.target, { watermark }, readers);
      throw withAdvice(error, source.kind);
    });
    for (const reader of readers) reader.completeScan(start, lookbackMs);
    this.#isCaughtUp = !position.scan && performance.now() - startedAt < Math.max(lookbackMs, 2 * pollMs);
  }

  /** False if there are no others, who then will join this one. */
  #joinOthers(): boolean {
    const others = getOrCreate(this.sharedPollers, this.#name, () => this);
    if (others === this) return false;
    for (const reader of this.#readers) others.#add(reader);
    return true;
  }
}

/** How long to wait after so many failures in a row: never shorter than the service has asked for. */
export function retryDelay(error: unknown, pollMs: number, failures: number): number {
  const asked = error instanceof RestError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.max(Math.min(pollMs * 2 ** failures, MAX_RETRY_MS), Math.min(asked, MAX_ASKED_MS));
}

/** Says how a stream can be had nevertheless. */
function withAdvice(error: unknown, kind: string): unknown {
  if (!(error instanceof RestError) || !['FORBIDDEN', 'NOT_FOUND'].includes(error.code)) return error;
  const { code, message, upstream } = error;
  const advice = `Check the administration. Leave ${kind} out of \`kinds\` if the token may read the administration, but not this list.`;
  return new RestError(code, `${message.replace(/\.?$/, '.')} ${advice}`, { upstream, cause: error });
}
