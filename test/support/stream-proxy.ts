import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import { listen } from './resources.ts';

export interface StreamProxy {
  readonly url: string;
  /** Where it leads; undefined while nobody answers there. */
  target: string | undefined;
  /** Whether streams pass, or with which status they are refused. */
  passage: 'pass' | number;
  /** The variables of the streams that were asked for. */
  readonly asked: readonly Readonly<Record<string, unknown>>[];
  cut(): void;
}

/** Stands between the dashboard and its gateways, for the tests of one file: gateways are restarted, proxies hold back. */
export async function useStreamProxy(): Promise<StreamProxy> {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const isStream = incoming.headers.accept === 'text/event-stream';
    if (isStream) asked.push(JSON.parse(body.toString()).variables);
    if (isStream && typeof proxy.passage === 'number') return void outgoing.writeHead(proxy.passage).end();
    if (proxy.target === undefined) return void outgoing.writeHead(502).end();
    forward(incoming, body, outgoing, proxy.target);
  });
  const proxy: StreamProxy = {
    url: `http://127.0.0.1:${await listen(server, afterAll)}/graphql`,
    target: undefined,
    passage: 'pass',
    asked,
    cut: () => server.closeAllConnections(),
  };
  return proxy;
}

function forward(
  { method, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  target: string,
): void {
  const onward = request(target, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
    response.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on('close', () => onward.destroy());
  onward.end(body);
}
