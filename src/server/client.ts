import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { badRequest, getRequestId } from '../http/errors.ts';
import { pathOf } from '../pages/route.ts';
import type { Host } from '../request/host.ts';
import type { GatewayState } from '../request/state.ts';
import { Cancellation } from '../rest/cancellation.ts';
import type { Observation } from '../telemetry/observation.ts';

/** A client of the gateway's own server, until the response to one request has been sent. */
export class Client implements Host {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly address: string | undefined;
  readonly observation: Observation;
  readonly cancellation = new Cancellation();
  abortCode: string | undefined;
  /** Called when the response has been sent or the client has disconnected. */
  readonly onClose: (() => void)[] = [];

  constructor(
    readonly res: ServerResponse,
    { telemetry, findClientAddress }: GatewayState,
  ) {
    const { req } = res;
    const { headers, socket } = req;
    this.headers = headers;
    this.path = pathOf(req);
    this.address = findClientAddress(socket.remoteAddress, headers['x-forwarded-for']);
    this.observation = telemetry.begin(headers, getRequestId(headers['x-request-id']));
  }

  /** An async iterator would close the connection before a rejection could be sent. */
  readBody(_request: Request, append: (chunk: Uint8Array) => void): Promise<void> {
    const { req } = this.res;
    return new Promise((resolve, reject) => {
      req.on('data', (chunk: Buffer) => {
        try {
          append(chunk);
        } catch (error) {
          // Discard the rest: closing the connection now could lose the response.
          req.removeAllListeners('data').resume();
          reject(error);
        }
      });
      req.on('end', resolve);
      req.on('error', () => reject(badRequest('The body did not arrive completely.')));
    });
  }

  failBody(error: unknown, controller: ReadableStreamDefaultController): void {
    controller.error(error);
  }
}
