import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Client, type ServedRequest } from '../../src/request/context.ts';
import { Observation } from '../../src/telemetry/observation.ts';

/** What the gateway's own server hands over with a request. */
export function served(path: string, method = 'GET'): ServedRequest & { readonly client: Client } {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { url: path, method, headers: {} });
  const observed = new Observation('of-the-server', undefined);
  const client = new Client('192.0.2.1');
  return { req, client, requestId: 'of-the-server', observed, owner: '192.0.2.1' };
}
