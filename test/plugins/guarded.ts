import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type Client, GuardedRequest } from '../../src/request/context.ts';
import { Observation } from '../../src/telemetry/observation.ts';

/** What the gateway's own server hands over with a request. */
export function guarded(path: string, method = 'GET'): GuardedRequest & { readonly client: Client } {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { url: path, method, headers: {} });
  const client: Client = {
    address: '192.0.2.1',
    owner: '192.0.2.1',
    isGone: false,
    isCut: false,
    isRunning: false,
    onAbort: undefined,
    onLeave: undefined,
  };
  const observed = new Observation('of-the-server', undefined);
  return Object.assign(new GuardedRequest(req, client, 'of-the-server', observed), { client });
}
