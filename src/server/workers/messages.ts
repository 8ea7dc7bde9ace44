import type { Reservation, ReservationRequest } from '../../limits/call-limit.ts';
import { SharedBoard } from '../../sharing/board.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';

/** From a worker to the primary. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  /** It cannot go on, for this reason. */
  | { readonly type: 'failed'; readonly reason: string }
  /** It has the connection that was sent to it. */
  | { readonly type: 'taken' }
  | { readonly type: 'share'; readonly id: number; readonly request: SharingRequest }
  /** It has dropped what it was told to. */
  | { readonly type: 'dropped'; readonly id: number }
  /** Asks for the metrics of all workers. */
  | { readonly type: 'collect'; readonly id: number }
  /** Its own metrics: with an id as asked for by the primary, without one as its last word. */
  | { readonly type: 'metrics'; readonly id?: number; readonly families: readonly MetricFamily[] };

/** From the primary to a worker. */
export type PrimaryMessage =
  /** Comes with a socket. */
  | { readonly type: 'connection' }
  /** From now on `/ready` fails, and streams of changes end, spread over so many milliseconds. */
  | { readonly type: 'leave-rotation'; readonly spreadMs: number }
  | { readonly type: 'stop'; readonly spreadMs: number }
  | { readonly type: 'shared'; readonly id: number; readonly reply: SharingReply }
  /** To drop what this credential has read. */
  | { readonly type: 'drop'; readonly id: number; readonly credential: string }
  | { readonly type: 'report'; readonly id: number }
  | { readonly type: 'collected'; readonly id: number; readonly families: readonly MetricFamily[] };

/** Messages come from Node's own channel, where nobody else writes. */
export function isMessage<Message extends { readonly type: string }>(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Questions to workers, each with one answer. Workers that end are not waited for, nor those that are stuck. */
export class Questions<Member extends object> {
  readonly #timeoutMs: number;
  readonly #open = new Map<number, { readonly missing: Set<Member>; readonly finish: () => void }>();
  #last = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with those that have not answered in time. */
  ask(members: readonly Member[], send: (member: Member, id: number) => void): Promise<ReadonlySet<Member>> {
    this.#last += 1;
    const id = this.#last;
    const missing = new Set(members);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(missing);
      };
      const timer = setTimeout(finish, this.#timeoutMs);
      this.#open.set(id, { missing, finish });
      for (const member of members) send(member, id);
      if (missing.size === 0) finish();
    });
  }

  answered(id: number, member: Member): void {
    const question = this.#open.get(id);
    if (question?.missing.delete(member) && question.missing.size === 0) question.finish();
  }

  /** The worker has ended. */
  forget(member: Member): void {
    for (const id of [...this.#open.keys()]) this.answered(id, member);
  }
}

/** What a worker asks of the primary, for all workers together. */
export type SharingRequest =
  | {
      readonly kind: 'move';
      readonly key: string;
      readonly from: readonly string[];
      readonly to: string;
      readonly lifeMs: number;
    }
  | ({ readonly kind: 'reserve'; readonly key: string } & ReservationRequest)
  /** The other workers have to drop what this credential has read. */
  | { readonly kind: 'drop'; readonly credential: string };

export type SharingReply = string | Reservation | undefined;

/** Answers the requests of workers. `drop` resolves when the others have dropped. */
export function createSharingDesk(drop: (credential: string, asker: object) => Promise<void>) {
  const board = new SharedBoard();
  return async (request: SharingRequest, asker: object): Promise<SharingReply> => {
    switch (request.kind) {
      case 'move':
        return board.move(request.key, request.from, request.to, request.lifeMs);
      case 'reserve':
        return board.reserve(request.key, request);
      case 'drop':
        await drop(request.credential, asker);
        return undefined;
    }
  };
}
