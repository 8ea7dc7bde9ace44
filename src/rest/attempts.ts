import { type CallDescription, type CallRecord, callsSent, elapsed, recordCall } from './call-record.ts';
import type { RestResponse } from './client/attempt.ts';
import type { AttemptLog } from './client/client.ts';
import { RestError } from './errors.ts';

interface CountedOperation {
  readonly calls: CallRecord[];
  readonly maxCalls: number;
  readonly extraCalls: number;
  takeExtraCall(): boolean;
}

/**
 * The attempts of one REST call, each with its own record. A record is added before its attempt is sent, so that queued
 * calls count as well; if the attempt is not sent after all, the record is removed.
 */
export class Attempts implements AttemptLog {
  readonly #operation: CountedOperation;
  readonly #call: CallDescription;
  readonly #onSend: (() => void) | undefined;
  #record: CallRecord;
  #start: number | undefined;

  constructor(operation: CountedOperation, call: CallDescription, onSend?: () => void) {
    if (callsSent(operation.calls) - operation.extraCalls >= operation.maxCalls) {
      throw new RestError(
        'OPERATION_TOO_EXPENSIVE',
        `The operation needs more than ${operation.maxCalls} REST calls. Ask for fewer rows or fewer lists.`,
      );
    }
    this.#operation = operation;
    this.#call = call;
    this.#onSend = onSend;
    this.#record = recordCall(operation.calls, call, 'network');
  }

  sent(): void {
    this.#start = performance.now();
    this.#onSend?.();
  }

  mayRetry(error: unknown): boolean {
    this.failed(error);
    if (!this.#operation.takeExtraCall()) return false;
    this.#start = undefined;
    this.#record = recordCall(this.#operation.calls, this.#call, 'network');
    return true;
  }

  succeeded({ status, bytes, body }: RestResponse): void {
    this.#record.status = status;
    this.#record.bytes = bytes;
    this.#record.rows = rowsIn(body);
    this.#end();
  }

  failed(error: unknown): void {
    if (this.#start === undefined) {
      this.#removeRecord();
    } else {
      this.#record.status = (error instanceof RestError ? error.upstream?.status : undefined) ?? null;
      this.#end();
    }
  }

  #end(): void {
    this.#record.milliseconds ??= elapsed(this.#start ?? performance.now());
  }

  #removeRecord(): void {
    const { calls } = this.#operation;
    const index = calls.indexOf(this.#record);
    if (index >= 0) calls.splice(index, 1);
  }
}

/** All lists of the service have the same envelope. */
function rowsIn(body: unknown): number | null {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  return Array.isArray(data) ? data.length : null;
}
