import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { StreamReader } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { freshGateway } from '../support/gateway.ts';

describe('a response of a plugin that is a stream of its own', () => {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = 0;
  const useOwnStream: Plugin = {
    onRequest({ url, endResponse }) {
      if (!url.searchParams.has('own')) return;
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
        cancel() {
          cancelled += 1;
        },
      });
      endResponse(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    },
  };

  test('is sent as it comes, and cancelled as its client disconnects', async () => {
    const running = await freshGateway({ gateway: { plugins: [useOwnStream] } });
    const abort = new AbortController();
    const response = await fetch(`${running.url}?own`, { signal: abort.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = new StreamReader(response);
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      controller?.enqueue(encoder.encode(text));
      await reader.until(text);
    }
    abort.abort();
    await eventually(() => expect(cancelled).toBe(1));
  });
});
