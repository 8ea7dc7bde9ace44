import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../support/resources.ts';

export interface FakeRequest {
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly accept: string | undefined;
  readonly body: { readonly query: string; readonly variables: { readonly [name: string]: unknown } };
}

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
    const { authorization, accept } = incoming.headers;
    const request = { url, authorization, accept, body: JSON.parse(await text(incoming)) };
    await answer(response, request, requests.push(request) - 1, incoming);
  });
  const port = await listen(server);
  return {
    url: new URL(`http://127.0.0.1:${port}/graphql`),
    requests,
    /** Stops listening until `comeBack`. */
    leave: () => void server.close().closeAllConnections(),
    comeBack: () => void server.listen(port, '127.0.0.1'),
  };
}
