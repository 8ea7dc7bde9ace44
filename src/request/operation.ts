import type { OpenChanges } from '../changes/change.ts';
import { ResultSize } from '../execution/result-size.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { Reservation } from '../limits/fair-limit.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { type CacheUse, RestSession, type RestSessionOptions } from '../rest/session.ts';
import type { DataSource } from '../schema/fields/context.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { Admission } from './admission.ts';
import { bypassesCache } from './credentials.ts';

/** How an operation was run. */
type RunMode =
  /** The operation was rejected before it ran, or a plugin set its result. */
  | { readonly kind: 'none' }
  /** `estimatedCalls`: the most REST calls that it makes, if the client asked. */
  | { readonly kind: 'once'; readonly estimatedCalls: number | undefined }
  | { readonly kind: 'pages'; readonly plan: ExportPlan }
  | { readonly kind: 'events'; readonly progress: StreamProgress };

/** `cursor` belongs to the last result taken; `position` may be later if nothing happened since. */
export interface StreamProgress {
  readonly cursor: string | undefined;
  readonly position: string | undefined;
}

type SubOperationOptions = Pick<RestSessionOptions, 'maxCalls'> & Partial<Pick<CacheUse, 'cacheLists'>>;

/** One operation, until its request ends. */
export class RunningOperation {
  /** The memory of its REST responses and streams. */
  readonly memory: Reservation;
  /** Counts the result while it is written. */
  readonly size: ResultSize;
  readonly dataSource: DataSource;
  /** `X-Max-Calls` may lower the limit of calls, but not raise it. */
  readonly limits: { readonly maxCalls: number; readonly maxFirst: number };
  /** Whether a mutation has started: then only a timeout or a client that disconnects may end it halfway. */
  isWriting = false;
  runMode: RunMode = { kind: 'none' };

  constructor(
    readonly admission: Admission,
    readonly observation: Observation,
    /** Aborted with the request, or if this operation exceeds a limit. */
    readonly cancellation: Cancellation,
    /** How many operations share the response. */
    shares: number,
  ) {
    const { maxFirst, maxValues, maxResponseBytes, maxCalls: most } = admission.state;
    const maxCalls = Math.min(most, Number(admission.host.headers['x-max-calls'] ?? most));
    this.limits = { maxCalls, maxFirst };
    this.memory = admission.reserveMemory(
      () => {
        admission.state.telemetry.onRejected('operation_memory');
        cancellation.abort('no room');
        this.size.stop(cancellation.error());
      },
      () => !this.isWriting,
    );
    this.size = new ResultSize({ maxValues, maxBytes: Math.floor(maxResponseBytes / shares) }, () => {
      if (!this.isWriting) cancellation.abort('closed');
    });
    this.dataSource = this.#createDataSource((added) => this.memory.add(added), { maxCalls });
  }

  /** Starts a page or a batch of events, whose memory is released when it ends. */
  startSubOperation(options: SubOperationOptions): { readonly dataSource: DataSource; end(): void } {
    let retained = 0;
    const retainBytes = (added: number) => {
      retained += added;
      this.memory.add(added);
    };
    const dataSource = this.#createDataSource(retainBytes, options);
    const end = () => {
      retainBytes(-retained);
      this.#addCalls(dataSource);
    };
    return { dataSource, end };
  }

  #createDataSource(
    retainBytes: (added: number) => void,
    { maxCalls, cacheLists = true }: SubOperationOptions,
  ): DataSource {
    const { admission, observation, cancellation } = this;
    const { state, host, credentials, limitKey } = admission;
    const { maxFirst, collation } = state;
    const reads = !bypassesCache(host.headers['cache-control']);
    // Listing the members is ten times as fast as spreading objects.
    const session = new RestSession(state.rest, {
      credentials,
      limitKey,
      maxCalls,
      // A caller that bypasses the cache must not join a call that started earlier.
      cache: { reads, cacheLists, joinsSince: reads ? 0 : performance.now() },
      cancellation,
      retainBytes,
      onAccepted: () => {
        admission.switchToCredentialKey();
        session.limitKey = admission.limitKey;
      },
      tracer: observation.trace,
    });
    return { session, loaders: new OperationLoaders(session), maxFirst, collation, changes: rejectChanges };
  }

  #addCalls({ session }: DataSource): void {
    this.observation.addCalls(session.calls, session.waitedMs());
  }

  end(): void {
    this.#addCalls(this.dataSource);
    this.cancellation.abort('closed');
  }
}

const rejectChanges: OpenChanges = () => {
  throw new Error('Only a subscription opens changes.');
};
