export type ServerSentEvent = Readonly<Partial<Record<'event' | 'data' | 'id', string>>>;

/** Parses the chunks of a gateway's event stream, in which lines end with line feeds. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #incomplete = '';

  take(bytes: Uint8Array): ServerSentEvent[] {
    const events = `${this.#incomplete}${this.#decoder.decode(bytes, { stream: true })}`.split('\n\n');
    this.#incomplete = events.pop() ?? '';
    return events.map(readEvent).filter((event) => Object.keys(event).length > 0);
  }
}

function readEvent(text: string): ServerSentEvent {
  const fields = text.split('\n').map((line) => /^(event|data|id): ?(.*)$/s.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(fields.filter(([name]) => name !== undefined));
}
