import type { Reservation, ReservationRequest } from '../limits/call-limit.ts';
import { SharedBoard } from '../sharing/board.ts';

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
