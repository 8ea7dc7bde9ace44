/** What stands between two empty lines of an event stream; comments are left out. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly data?: string;
  readonly id?: string;
}

/** Reads an event stream, as HTML describes it, by the pieces in which it comes. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #line = '';
  /** A carriage return at the end of a piece: the line feed that belongs to it may be in the next. */
  #return = '';
  #event: ServerSentEvent = {};

  take(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const text = this.#return + this.#decoder.decode(bytes, { stream: true });
    this.#return = text.endsWith('\r') ? '\r' : '';
    const [end = '', ...starts] = text.slice(0, text.length - this.#return.length).split(/\r\n|\n|\r/);
    this.#line += end;
    for (const start of starts) {
      const line = this.#line;
      this.#line = start;
      if (line !== '') this.#event = withLine(this.#event, line);
      else {
        if (Object.keys(this.#event).length > 0) events.push(this.#event);
        this.#event = {};
      }
    }
    return events;
  }
}

function withLine(event: ServerSentEvent, line: string): ServerSentEvent {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  switch (name) {
    case 'event':
    case 'id':
      return { ...event, [name]: value };
    case 'data':
      return { ...event, data: event.data === undefined ? value : `${event.data}\n${value}` };
    default:
      return event;
  }
}
