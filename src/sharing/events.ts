/** `lost`: commands are not sent until a check in the background has succeeded. */
export type SharingState = 'connecting' | 'connected' | 'lost';

/** Told of what happens to the connection. */
export interface SharingEvents {
  /** Called once per change. The reason is a word such as `timeout`, `ECONNREFUSED` or `OOM`, never a secret. */
  onStateChange?(state: SharingState, reason: string | undefined): void;
}

/** Counts since the start. */
export interface SharingCounters {
  /** Commands sent, checks of the connection among them. */
  readonly commands: number;
  /** Of those, how many failed, and how many of these because there was no reply in time. */
  readonly failures: number;
  readonly timeouts: number;
  /** Commands not sent, because Redis was lost. */
  readonly skipped: number;
}

/** A command to Redis failed. An operation never does because of it. */
export class RedisTrouble extends Error {
  override readonly name = 'RedisTrouble';
  /** Contains no secret. */
  readonly reason: string;
  /** False if the command certainly had no effect; otherwise it may have had it, or may have it later. */
  readonly mayHaveRun: boolean;

  constructor(reason: string, mayHaveRun: boolean) {
    super(reason);
    this.reason = reason;
    this.mayHaveRun = mayHaveRun;
  }
}
