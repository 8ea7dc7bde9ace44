import type { IncomingHttpHeaders } from 'node:http';
import type { OpenChanges } from '../changes/change.ts';
import { ResultSize } from '../execution/result-size.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { Reservation } from '../limits/fair-limit.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { type CacheUse, RestSession, type RestSessionOptions } from '../rest/session.ts';
import type { Reads } from '../schema/fields/context.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { Admission } from './admission.ts';
import { bypassesCache } from './credentials.ts';

/** How an operation was run, with what its result cannot say. */
type Ran =
  /** `estimatedCalls`: the most REST calls that it makes, if somebody asked. */
  | { readonly kind: 'once'; readonly estimatedCalls: number | undefined }
  | { readonly kind: 'pages'; readonly plan: ExportPlan }
  | { readonly kind: 'events'; readonly progress: StreamProgress };

/** The cursor behind the result that was taken last, and one further on if it is known that nothing came since. */
export interface StreamProgress {
  readonly cursor: string | undefined;
  readonly position: string | undefined;
}

type SubOperationOptions = Pick<RestSessionOptions, 'maxCalls'> & Partial<Pick<CacheUse, 'cacheLists'>>;

/** One operation of a request. It ends with its request. */
export class RunningOperation {
  /** What it holds of the memory that all operations share: REST answers and streams. */
  readonly memory: Reservation;
  /** Counts its answer while it is written out. */
  readonly size: ResultSize;
  readonly reads: Reads;
  /** `X-Max-Calls` lowers the limit of the gateway, and never raises it. */
  readonly limits: { readonly maxCalls: number; readonly maxFirst: number };
  /** Whether it is a mutation that has begun: then only its timeout, or a client that leaves, ends it halfway. */
  isWriting = false;
  ran: Ran | undefined;

  constructor(
    readonly admission: Admission,
    readonly headers: IncomingHttpHeaders,
    readonly observation: Observation,
    /** Aborted with its request, or when this operation alone needs too much. */
    readonly cancellation: Cancellation,
    /** How many operations share the response. */
    shares: number,
  ) {
    const { maxFirst, maxValues, maxResponseBytes, maxCalls: most } = admission.shared;
    const maxCalls = Math.min(most, Number(headers['x-max-calls'] ?? most));
    this.limits = { maxCalls, maxFirst };
    this.memory = admission.reserveMemory(
      () => {
        admission.shared.telemetry.shed('operation_memory');
        cancellation.abort('no room');
        this.size.stop(cancellation.error());
      },
      () => !this.isWriting,
    );
    this.size = new ResultSize({ maxValues, maxBytes: Math.floor(maxResponseBytes / shares) }, () => {
      if (!this.isWriting) cancellation.abort('closed');
    });
    this.reads = this.#createReads((added) => this.memory.add(added), { maxCalls });
  }

  /** Starts a part of it, which holds memory and makes calls of its own until it ends. */
  startSubOperation(options: SubOperationOptions): { readonly reads: Reads; end(): void } {
    let held = 0;
    const retainBytes = (added: number) => {
      held += added;
      this.memory.add(added);
    };
    const reads = this.#createReads(retainBytes, options);
    const end = () => {
      retainBytes(-held);
      this.#addCalls(reads);
    };
    return { reads, end };
  }

  #createReads(
    retainBytes: (added: number) => void,
    { maxCalls, cacheLists = true }: SubOperationOptions,
  ): Reads {
    const { admission, headers, observation, cancellation } = this;
    const { shared, credentials, limitKey } = admission;
    const { maxFirst, collation } = shared;
    const reads = !bypassesCache(headers['cache-control']);
    // By its members: to spread several objects takes ten times as long.
    const rest = new RestSession(shared.rest, {
      credentials,
      limitKey,
      maxCalls,
      // A caller that asks for fresh data gets none that was requested before.
      cache: { reads, cacheLists, joinsSince: reads ? 0 : performance.now() },
      cancellation,
      retainBytes,
      onAccepted: () => {
        admission.countForCredential();
        rest.limitKey = admission.limitKey;
      },
      tracer: observation.trace,
    });
    return { rest, loaders: new OperationLoaders(rest), maxFirst, collation, changes: refuseChanges };
  }

  #addCalls({ rest }: Reads): void {
    this.observation.addCalls(rest.calls, rest.waitedMs());
  }

  end(): void {
    this.#addCalls(this.reads);
    this.cancellation.abort('closed');
  }
}

const refuseChanges: OpenChanges = () => {
  throw new Error('Only a subscription opens changes.');
};
