import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request for a stream, and what is sent back. */
export interface OpenedStream {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly response: ServerResponse;
  next(result: object, cursor?: string): void;
  complete(): void;
}

export interface StreamServer {
  readonly url: string;
  /** The requests, in order: the one with this index, as soon as it comes. */
  request(index: number): Promise<OpenedStream>;
  count(): number;
}

/** A server that answers as a test says. Whatever is not answered with `response` is opened as a stream. */
export async function startStreamServer(
  answer: (response: ServerResponse, index: number) => boolean = () => false,
): Promise<StreamServer> {
  const requests: OpenedStream[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (incoming, response) => {
    const body = await json(incoming);
    if (!answer(response, requests.length)) {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(':\nid: start\n\n');
    }
    requests.push({
      headers: incoming.headers,
      body,
      response,
      next: (result, cursor) =>
        response.write(
          `event: next\n${cursor === undefined ? '' : `id: ${cursor}\n`}data: ${JSON.stringify(result)}\n\n`,
        ),
      complete: () => response.end('event: complete\ndata: \n\n'),
    });
    for (const check of waiting) check();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server is not listening');
  return {
    url: `http://127.0.0.1:${address.port}/graphql`,
    count: () => requests.length,
    request: (index) =>
      new Promise((resolve) => {
        const check = () => {
          const found = requests[index];
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
