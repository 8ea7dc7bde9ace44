import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface FakeRequest {
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly body: { readonly query: string; readonly variables: { readonly [name: string]: unknown } };
}

/** A gateway that answers what a test tells it to, until the test is over. */
export async function startFakeServer(
  answer: (
    response: ServerResponse,
    request: FakeRequest,
    index: number,
    incoming: IncomingMessage,
  ) => unknown,
) {
  const requests: FakeRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://fake');
    const { authorization } = incoming.headers;
    const request = { url, authorization, body: JSON.parse(await text(incoming)) };
    await answer(response, request, requests.push(request) - 1, incoming);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const leave = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(leave);
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/graphql`),
    requests,
    /** From now on nothing listens at its address, until it comes back. */
    leave,
    comeBack: () => void server.listen(port, '127.0.0.1'),
  };
}
