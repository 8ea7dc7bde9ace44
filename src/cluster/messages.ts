import type { MetricFamily } from '../telemetry/metrics/family.ts';

/** From a worker to the primary. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly url: string; readonly greeting: string }
  /** It could not start, for a reason that the user can mend. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Asks for the metrics of all workers. */
  | { readonly type: 'collect'; readonly id: number }
  /** Its own metrics, as asked for by the primary. */
  | { readonly type: 'metrics'; readonly id: number; readonly families: readonly MetricFamily[] };

/** From the primary to a worker. */
export type PrimaryMessage =
  | { readonly type: 'stop' }
  | { readonly type: 'report'; readonly id: number }
  | { readonly type: 'collected'; readonly id: number; readonly families: readonly MetricFamily[] };

/** Messages come from Node's own channel, where nobody else writes. */
export function isMessage<Message extends { readonly type: string }>(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
