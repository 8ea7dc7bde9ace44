import type { MetricFamily } from '../telemetry/metrics/family.ts';
import type { SharingReply, SharingRequest } from './sharing-requests.ts';

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
