/** One of the Server-Sent Events of a stream, or a sign of life that tells where the stream is. */
export interface ServerEvent {
  readonly type: string;
  /** The cursor. */
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a stream, by the pieces in which they come. */
export async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent[]> {
  const parse = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield parse(value);
    }
  } finally {
    // Whoever stops reading ends the connection; one that is broken already says so, which nobody needs to hear.
    reader.cancel().catch(() => {});
  }
}

/** Returns a function that takes the text of a stream piece by piece, and returns the events that a piece completes. */
export function createEventParser(): (text: string) => ServerEvent[] {
  let unfinished = '';
  return (text) => {
    const blocks = (unfinished + text).split(/\r?\n\r?\n/);
    unfinished = blocks.pop() ?? '';
    return blocks.flatMap(readEvent);
  };
}

/** A block without data is a sign of life, and a block of comments alone is nothing. */
function readEvent(block: string): ServerEvent[] {
  const values = (name: string) =>
    block.split(/\r?\n/).flatMap((line) => {
      const [field, value = ''] = line.split(/:(.*)/s, 2);
      return field === name ? value.replace(/^ /, '') : [];
    });
  const [data, id] = [values('data'), values('id').at(-1)];
  if (data.length === 0) return id === undefined ? [] : [{ type: 'alive', id, data: '' }];
  return [{ type: values('event').at(-1) ?? 'message', id, data: data.join('\n') }];
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
}
