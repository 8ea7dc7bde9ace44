import type { CallFault } from './call-fault.ts';
import {
  type CallDescription,
  type CallRecord,
  type CallSpan,
  type CallTracer,
  elapsed,
} from './call-record.ts';
import type { AttemptLog, RestRequest, RestResponse } from './client/attempt.ts';
import type { RestEvents } from './client/rest-events.ts';
import { RestError } from './errors.ts';
import { isObject } from './json.ts';

interface CountedOperation {
  readonly busy: BusyTime;
  readonly tracer: CallTracer | undefined;
  readonly client: { readonly events: RestEvents };
  readonly hasCallsLeft: boolean;
  startCall(call: CallDescription): CallRecord;
  withdrawCall(record: CallRecord): void;
}

type AttemptedCall = CallDescription & Pick<RestRequest, 'endpoint'>;

/** The attempts of a REST call. Each has a record before it is sent, so that queued calls count as well. */
export class Attempts implements AttemptLog {
  readonly #operation: CountedOperation;
  readonly #call: AttemptedCall;
  readonly #onSend: (() => void) | undefined;
  #record: CallRecord;
  #start: number | undefined;
  #span: CallSpan | undefined;
  #attempt = 1;

  constructor(operation: CountedOperation, call: AttemptedCall, onSend?: () => void) {
    this.#operation = operation;
    this.#call = call;
    this.#onSend = onSend;
    this.#record = operation.startCall(call);
  }

  sent(): CallSpan['headers'] | undefined {
    this.#start = performance.now();
    this.#onSend?.();
    this.#operation.busy.start(this.#start);
    this.#span = this.#operation.tracer?.start(this.#call);
    return this.#span?.headers;
  }

  mayRetry(error: unknown): boolean {
    this.failed(error);
    if (!this.#operation.hasCallsLeft) return false;
    this.#start = undefined;
    this.#attempt += 1;
    this.#record = this.#operation.startCall(this.#call);
    return true;
  }

  /** With the fault of a response that the gateway cannot use, or only in part. */
  answered({ status, bytes, body }: RestResponse, fault: CallFault | undefined): void {
    this.#record.status = status;
    this.#record.bytes = bytes;
    this.#record.rows = rowsIn(body);
    this.#end(fault);
  }

  failed(error: unknown): void {
    if (this.#start === undefined) {
      this.#operation.withdrawCall(this.#record);
    } else {
      this.#record.status = (error instanceof RestError ? error.upstream?.status : undefined) ?? null;
      this.#end(faultOf(error));
    }
  }

  #end(fault: CallFault | undefined): void {
    // A failure is told twice if it may not be retried.
    if (this.#record.milliseconds !== null || this.#start === undefined) return;
    const { busy, client } = this.#operation;
    const { endpoint } = this.#call;
    const { status } = this.#record;
    this.#record.milliseconds = elapsed(this.#start);
    busy.end(performance.now());
    this.#span?.end(status, fault);
    client.events.attempted(endpoint, status, fault, this.#record.milliseconds, this.#attempt);
  }
}

/** An error without `upstream` is not the service's: the operation was aborted, or ran out of memory or time. */
function faultOf(error: unknown): CallFault {
  if (!(error instanceof RestError)) return 'internal';
  return error.upstream === undefined ? 'aborted' : (error.fault ?? 'internal');
}

/** All lists of the service have the same envelope. */
function rowsIn(body: unknown): number | null {
  const { data } = isObject(body) ? body : {};
  return Array.isArray(data) ? data.length : null;
}

/** The time during which at least one of several overlapping activities is in progress. */
export class BusyTime {
  #active = 0;
  #since = 0;
  #total = 0;

  start(now: number): void {
    if (this.#active === 0) this.#since = now;
    this.#active += 1;
  }

  end(now: number): void {
    this.#active -= 1;
    if (this.#active === 0) this.#total += now - this.#since;
  }

  /** Milliseconds until now, including what is still in progress. */
  total(now: number): number {
    return this.#active > 0 ? this.#total + now - this.#since : this.#total;
  }
}
