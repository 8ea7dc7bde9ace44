import { Cancellation } from '../rest/cancellation.ts';
import { badInput } from '../rest/errors.ts';
import type { RestSession } from '../rest/session.ts';
import type { ChangeRequest, ChangeSource, Subscriber } from './change.ts';
import { Poller } from './poller.ts';
import { decodeEventCursor } from './position.ts';
import { ChangeReader, type PollTarget } from './scan.ts';
import { ChangeStream, EXPIRING, STOPPING } from './stream.ts';

/** A stream ends this long before its token expires, or after half of the remaining time if that is later. */
const BEFORE_EXPIRY_MS = 30_000;

/** `cacheTtlMs` limits the age of cached reads. */
type StreamOptions = Pick<PollTarget, 'pollMs' | 'lookbackMs'> & { readonly cacheTtlMs: number };

/** Opens and ends the streams of a gateway. */
export class ChangeStreams {
  readonly #sharedPollers = new Map<string, Poller>();
  readonly #streams = new Set<ChangeStream>();
  /** Whether the streams are being ended. No new one may be opened then. */
  isEnding = false;

  constructor(private readonly options: StreamOptions) {}

  /**
   * Resolves once the service has accepted the credential and the first scans have found the present. The stream closes
   * with the operation of the session, and ends before its token expires.
   */
  async open(
    subscriber: Subscriber,
    request: ChangeRequest,
    { cancellation, retainBytes, options }: RestSession,
    expiresAt: Promise<number | undefined>,
  ): Promise<ChangeStream> {
    const { administrationId, kinds } = request;
    const sources = kinds.map(({ source }) => source);
    const positions = this.#getPositions(request, sources);
    const stream = new ChangeStream(administrationId, sources, positions, retainBytes, options.onAccepted);
    this.#streams.add(stream);
    stream.closing.onAbort(() => this.#streams.delete(stream));
    cancellation.onAbort(() => stream.close());
    const starts = kinds.map(({ source, fields }) => {
      const target = { ...this.options, subscriber, administrationId, source, stopped: new Cancellation() };
      return new Poller(target, this.#sharedPollers).start(new ChangeReader(stream, source, fields));
    });
    const pollers = await Promise.all(starts);
    // Polling starts after all positions are set, because a cursor contains the position of each kind.
    for (const poller of pollers) void poller.run();
    await stream.whenOpen();
    // Cached lists may be older than the start of the stream.
    await subscriber.invalidateCache();
    void expiresAt.then((moment) => {
      const left = (moment ?? 0) - Date.now();
      // Clocks differ, so an expiry in the past is ignored: the service has just accepted the token.
      if (left > 0) stream.endAfter(Math.max(left / 2, left - BEFORE_EXPIRY_MS), EXPIRING);
    });
    return stream;
  }

  /** Ends the streams one by one over this time, so that clients do not all reconnect at once. */
  end(spreadMs: number): void {
    this.isEnding = true;
    const streams = [...this.#streams];
    for (const [index, stream] of streams.entries())
      stream.endAfter((spreadMs * index) / streams.length, STOPPING);
  }

  #getPositions({ administrationId, since, after }: ChangeRequest, sources: readonly ChangeSource[]) {
    if (after !== undefined) return decodeEventCursor(after, administrationId, sources);
    if (since === undefined) return new Map();
    const { lookbackMs, cacheTtlMs } = this.options;
    const moment = Date.parse(since);
    if (moment > Date.now() + Math.max(lookbackMs, 60_000))
      throw badInput('`since` is in the future. Leave it out to start now.');
    // A client may have read its list from the cache, so start one cache TTL earlier.
    const watermark = Math.max(0, moment - lookbackMs - cacheTtlMs);
    return new Map(sources.map(({ cursorKey }) => [cursorKey, { watermark }]));
  }
}
