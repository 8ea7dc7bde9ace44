import type { CallFault } from './call-fault.ts';
import { NoCallsLeft, RestError, TOO_MANY_LOADS } from './errors.ts';

/** Outcome of one REST call, or of one attempt; contains no secrets. */
export interface CallRecord {
  readonly call: ShownCall;
  readonly source: 'network' | 'cache' | 'coalesced';
  /** By `performance.now()`. */
  readonly startedAt: number;
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
}

/** The part of a call that may be shown to the caller. */
export interface ShownCall {
  readonly method: string;
  readonly path: string;
  /** Made only where somebody looks at them: to copy objects takes microseconds. */
  readonly parameters: () => { readonly [name: string]: unknown };
}

/** Follows the REST calls of one operation through a trace. */
export interface CallTracer {
  start(call: { readonly method: string; readonly endpoint: string }): CallSpan;
}

/** One attempt of a call, as the trace sees it. */
export interface CallSpan {
  /** Sent with the call, so that the service's spans join the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response if there was one, and why the attempt failed if it did. */
  end(status: number | null, fault: CallFault | undefined): void;
}

/** How many lists and lookups an operation may ask for: they are put together in one turn of the event loop. */
const MAX_LOADS = 3_000;

/** How many rows an operation may have ordered, under all its aliases: a sort takes one turn of the event loop. */
const MAX_SORTED = 50_000;
const TOO_MANY_SORTED = `The operation orders more than ${MAX_SORTED} rows. Narrow its lists by \`where\` or by their filters, or order fewer of them.`;

/** What one operation asks of the REST service, and how much more it may ask for. */
export class OperationCalls {
  readonly calls: CallRecord[] = [];
  readonly maxCalls: number;
  /** Calls that must be left of `maxCalls`: while a field of a mutation runs, those of the fields after it. */
  reservedCalls = 0;
  #sent = 0;
  #loads = 0;
  #sorted = 0;

  constructor(maxCalls: number) {
    this.maxCalls = maxCalls;
  }

  /** Counts a call that is to be sent; false if the operation has none left. */
  tryTakeCall(): boolean {
    if (this.#sent + this.reservedCalls >= this.maxCalls) return false;
    this.#sent += 1;
    return true;
  }

  takeCall(): void {
    if (this.tryTakeCall()) return;
    const used = `${this.#sent} of the ${this.maxCalls} REST calls that an operation may make are used`;
    const isReserved = this.reservedCalls > 0;
    throw new NoCallsLeft(
      isReserved ? `${used}, and the others are kept for the fields after this one` : used,
    );
  }

  record(call: ShownCall, source: CallRecord['source'], rows: number | null = null): CallRecord {
    const startedAt = performance.now();
    const record = { call, source, startedAt, status: null, milliseconds: null, bytes: null, rows };
    this.calls.push(record);
    return record;
  }

  /** Waits for a call that another operation has sent. */
  awaitCoalesced<T>(call: ShownCall, response: Promise<T>): Promise<T> {
    const record = this.record(call, 'coalesced');
    return response.finally(() => {
      record.milliseconds = millisecondsSince(record.startedAt);
    });
  }

  /** The milliseconds in which the operation waited for one call or more; they are recorded in the order of their starts. */
  waitedMs(now = performance.now()): number {
    let [total, reached] = [0, 0];
    for (const { source, startedAt, milliseconds } of this.calls) {
      const end = source === 'cache' ? startedAt : milliseconds === null ? now : startedAt + milliseconds;
      total += Math.max(0, end - Math.max(startedAt, reached));
      reached = Math.max(reached, end);
    }
    return total;
  }

  /** Counts a list or a lookup that is asked for: how many administrations a token reaches is not known before. */
  countLoad(): void {
    this.#loads += 1;
    if (this.#loads > MAX_LOADS) throw TOO_MANY_LOADS;
  }

  /** Counts rows that the gateway orders. */
  countSorted(rows: number): void {
    this.#sorted += rows;
    if (this.#sorted > MAX_SORTED) throw new RestError('OPERATION_TOO_EXPENSIVE', TOO_MANY_SORTED);
  }
}

export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}
