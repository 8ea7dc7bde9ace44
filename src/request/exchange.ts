import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FetchAPI } from 'graphql-yoga';
import type { ExportRequest } from '../export/export-request.ts';
import { readAccept, type StreamType } from '../http/negotiation.ts';
import { Cancellation } from '../rest/cancellation.ts';
import type { Observation } from '../telemetry/observation.ts';
import { Admission, type Shared } from './admission.ts';
import { readCredentials } from './credentials.ts';
import { RunningOperation } from './operation.ts';

/** Who sent a request to the gateway's own server, and gets its response; another server hands over what it likes. */
export interface Client {
  readonly res: ServerResponse;
  readonly observation: Observation;
  /** The code for why it does not get the response, or not all of it, once that is so. */
  abortCode?: string | undefined;
  /** Called once the response has been sent, or the client has disconnected. */
  readonly onClose: (() => void)[];
}

/** How a request is to be answered. */
export interface ResponseForm {
  /** The type of JSON that its client prefers; undefined if it takes none. */
  readonly mediaType: string | undefined;
  /** How its client takes a stream of results, if at all. */
  readonly streamType?: StreamType | undefined;
  /** If the answer is to be a file of rows rather than JSON. */
  readonly file?: ExportRequest | undefined;
  /** How many operations have been sent together, as an array. */
  readonly arrayLength?: number | undefined;
}

/** A response before it is a `Response`. */
export interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer<ArrayBuffer> | ReadableStream | null;
  /** A stream that is compressed takes some 260 kB for as long as it lasts. */
  readonly isCompressible?: boolean;
  /** The bytes of a page, in place of a body. They are kept for all; the memory of a body counts until it has been sent. */
  readonly page?: Buffer | undefined;
}

/** One request, until its response has been made. */
export class Exchange {
  /** Aborted when the client leaves, or the request takes too long. */
  readonly cancellation = new Cancellation();
  readonly admission: Admission;
  /** What is refused before the request has been read is JSON. */
  form: ResponseForm;
  /** Those that have begun, in their order; none if the request was refused. */
  readonly operations: RunningOperation[] = [];
  /** Whether these are estimated in place of being executed. */
  readonly isEstimate: boolean;
  /** The latest response that the gateway has made. A plugin may send another one. */
  sent: { readonly response: Response; readonly written: WrittenResponse } | undefined;
  /** The body of a response that is made while it is sent. Its end is the end of the exchange. */
  stream: ReadableStream | undefined;
  #stopListening = () => {};
  #hasEnded = false;

  constructor(
    readonly shared: Shared,
    readonly headers: IncomingHttpHeaders,
    /** As it was sent, not normalised. */
    readonly path: string,
    address: string | undefined,
    readonly observation: Observation,
    /** Known to the gateway's own server alone. */
    readonly client?: Client,
    /** Node's response, where Yoga itself sends it. */
    readonly res?: ServerResponse,
  ) {
    const credentials = readCredentials(headers, shared.ownAuthorization);
    this.admission = new Admission(shared, credentials, address, observation, this.cancellation);
    this.form = { mediaType: readAccept(headers.accept).json };
    this.isEstimate = headers['x-explain'] === 'estimate';
    client?.onClose.push(() => this.cancellation.abort('closed'));
  }

  /** Counts it as a request for operations, which is aborted when its client leaves. */
  begin({ signal }: Pick<Request, 'signal'>): void {
    this.observation.isOperation = true;
    // The gateway's own server says so itself.
    if (this.client) return;
    const abort = () => this.cancellation.abort('closed');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    this.#stopListening = () => signal.removeEventListener('abort', abort);
  }

  /** Starts its operation, or the next one of its array, with limits and a line in the log of its own. */
  startOperation(): RunningOperation {
    const { shared, admission, headers, form } = this;
    let { observation, cancellation } = this;
    if (form.arrayLength !== undefined) {
      observation = shared.telemetry.begin(headers, observation.line.requestId);
      observation.isOperation = true;
      cancellation = new Cancellation();
      cancellation.follow(this.cancellation);
    }
    if (this.isEstimate) observation.line.estimate = true;
    const { arrayLength = 1 } = form;
    const operation = new RunningOperation(admission, headers, observation, cancellation, arrayLength);
    this.operations.push(operation);
    return operation;
  }

  /** Makes a Response. The gateway's own server sends what has been written, rather than read it from the Response. */
  makeResponse(written: WrittenResponse, { Response }: Pick<FetchAPI, 'Response'>): Response {
    const { status, headers, body } = written;
    const response = new Response(body, { status, headers });
    this.sent = { response, written };
    return response;
  }

  /** Aborts what is still under way, and gives back what it has taken. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopListening();
    const { telemetry } = this.shared;
    for (const operation of this.operations) {
      operation.end();
      const { observation } = operation;
      // An operation of an array has a line in the log, and no request of its own.
      if (observation !== this.observation)
        telemetry.end(observation, undefined, observation.line.status, this.client?.abortCode);
    }
    this.cancellation.abort('closed');
    this.admission.release();
  }
}
