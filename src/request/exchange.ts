import type { IncomingHttpHeaders } from 'node:http';
import type { ExportRequest } from '../export/export-request.ts';
import { readAccept, type StreamType } from '../http/negotiation.ts';
import { Cancellation } from '../rest/cancellation.ts';
import type { Observation } from '../telemetry/observation.ts';
import { Admission } from './admission.ts';
import { readCredentials } from './credentials.ts';
import type { Host } from './host.ts';
import { RunningOperation } from './operation.ts';
import type { GatewayState } from './state.ts';

/** The negotiated form of a response. */
export type ResponseForm = {
  /** The preferred type of JSON; undefined if the client accepts none. */
  readonly mediaType: string | undefined;
} & (
  | { readonly kind: 'json' }
  /** Subscriptions are streamed. Other results are JSON, or the only event if the client accepts no JSON. */
  | { readonly kind: 'stream'; readonly streamType: StreamType }
  /** A file of rows. */
  | { readonly kind: 'export'; readonly request: ExportRequest }
  /** An array of this many results. */
  | { readonly kind: 'array'; readonly length: number }
);

/** One request and its response. */
export class Exchange {
  readonly headers: IncomingHttpHeaders;
  readonly observation: Observation;
  readonly cancellation: Cancellation;
  readonly admission: Admission;
  /** JSON until the request has been received, for errors. */
  responseForm: ResponseForm;
  /** The operations that have started, in order; empty if the request was rejected. */
  readonly operations: RunningOperation[] = [];
  /** Whether the operations are estimated instead of executed. */
  readonly isEstimate: boolean;
  /** A body that is written while it is sent; the exchange ends with it. */
  stream: ReadableStream | undefined;
  #hasEnded = false;

  constructor(
    readonly state: GatewayState,
    readonly host: Host,
  ) {
    const { headers, observation, cancellation } = host;
    this.headers = headers;
    this.observation = observation;
    this.cancellation = cancellation;
    this.admission = new Admission(state, readCredentials(headers, state.ownAuthorization), host);
    this.responseForm = { kind: 'json', mediaType: readAccept(headers.accept).json };
    this.isEstimate = headers['x-explain'] === 'estimate';
  }

  /** Starts the operation, or the next one of an array, with its own limits and log line. */
  startOperation(): RunningOperation {
    const { state, admission, headers, responseForm: form } = this;
    let { observation, cancellation } = this;
    if (form.kind === 'array') {
      observation = state.telemetry.begin(headers, observation.logEntry.requestId);
      cancellation = new Cancellation();
      cancellation.follow(this.cancellation);
    }
    observation.isOperation = true;
    if (this.isEstimate) observation.logEntry.estimate = true;
    const shares = form.kind === 'array' ? form.length : 1;
    const operation = new RunningOperation(admission, observation, cancellation, shares);
    this.operations.push(operation);
    return operation;
  }

  /** Aborts unfinished work and releases all slots and memory. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // A rejected request counts as one operation.
    if (this.operations.length === 0) this.observation.isOperation = true;
    const { telemetry } = this.state;
    for (const operation of this.operations) {
      operation.end();
      const { observation } = operation;
      // An operation of an array has its own log line, but no request.
      if (observation !== this.observation)
        telemetry.end(observation, undefined, observation.logEntry.status, this.host.abortCode);
    }
    this.cancellation.abort('closed');
    this.admission.release();
  }
}
