/** `lost`: commands are not sent until a check in the background has succeeded. */
export type SharingState = 'connecting' | 'connected' | 'lost';

export interface SharingEvents {
  /** Called once per change. The reason is a word such as `timeout`, `ECONNREFUSED` or `OOM`, never a secret. */
  onStateChange?(state: SharingState, reason: string | undefined): void;
}

export interface SharingCounters {
  /** Commands sent, checks of the connection among them. */
  readonly commands: number;
  /** Of those, how many failed, and how many of these because there was no reply in time. */
  readonly failures: number;
  readonly timeouts: number;
  /** Commands not sent, because Redis was lost. */
  readonly skipped: number;
}

/** A command to Redis failed; an operation never does because of it. The message is the reason, without secrets. */
export class RedisTrouble extends Error {
  override readonly name = 'RedisTrouble';
}

/** From then on a loss is not a hiccup any more. */
const HICCUP_MS = 500;
/** How long the first connection may take, on a machine that is busy with starting. */
const CONNECT_MS = 3_000;

export class LinkState {
  readonly #events: SharingEvents | undefined;
  readonly #listeners = new Set<(state: SharingState | 'closed') => void>();
  current: SharingState = 'connecting';
  readonly #startedAt = performance.now();
  #lostAt = this.#startedAt;
  isClosed = false;

  constructor(events: SharingEvents | undefined) {
    this.#events = events;
  }

  change(state: SharingState, reason?: string): void {
    if (this.current === state || this.isClosed) return;
    if (this.current === 'connected') this.#lostAt = performance.now();
    this.current = state;
    this.#events?.onStateChange?.(state, reason);
    for (const listener of [...this.#listeners]) listener(state);
  }

  onChange(listener: (state: SharingState | 'closed') => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Whether commands can be sent: at once if they can, otherwise as soon as they can, within this time. Once the loss
   * is no hiccup any more the answer is no, without waiting. The first connection is waited for longer: a process that
   * has just started would otherwise work alone beside others that share.
   */
  recovered(milliseconds: number): Promise<boolean> {
    if (this.current === 'connecting' && !this.isClosed)
      return this.#connectedWithin(this.#startedAt + CONNECT_MS - performance.now(), { untilLost: true });
    return this.reconnected(Math.min(milliseconds, this.#lostAt + HICCUP_MS - performance.now()));
  }

  /** Like `recovered`, however long the loss has lasted. */
  async reconnected(milliseconds: number): Promise<boolean> {
    if (this.isClosed) return false;
    if (this.current === 'connected') return true;
    return milliseconds > 0 && this.#connectedWithin(milliseconds);
  }

  close(): void {
    this.isClosed = true;
    for (const listener of [...this.#listeners]) listener('closed');
  }

  #connectedWithin(milliseconds: number, { untilLost = false } = {}): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isConnected: boolean) => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        resolve(isConnected);
      };
      const listener = (state: SharingState | 'closed') => {
        if (state === 'connected') settle(true);
        else if (untilLost || state === 'closed') settle(false);
      };
      const timer = setTimeout(settle, Math.max(0, milliseconds), false).unref();
      this.#listeners.add(listener);
    });
  }
}
