export interface ServerSentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a body of `text/event-stream`, as far as the gateway writes it; comments are skipped. */
export async function* readServerSentEvents({ body }: Response): AsyncGenerator<ServerSentEvent> {
  if (!body) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = fieldIn(block, 'event');
      if (event !== undefined) yield { event, id: fieldIn(block, 'id'), data: fieldIn(block, 'data') ?? '' };
    }
  }
}

function fieldIn(block: string, name: string): string | undefined {
  const line = block.split('\n').find((candidate) => candidate.startsWith(`${name}:`));
  return line?.slice(name.length + 1).replace(/^ /, '');
}
