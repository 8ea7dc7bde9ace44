import { broken } from '../gateway-request.ts';

/** What stands between two empty lines; comments are left out. */
export interface Block {
  readonly event?: string;
  readonly data?: string;
  readonly id?: string;
}

/** No answer of the gateway is as long; what never ends must not fill the memory. */
const MAX_CHARACTERS = 100_000_000;

/** The blocks of an event stream, as HTML describes it. One that was cut off is left out. */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Block, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let block: Block = {};
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    // A line feed that belongs to a carriage return may be in the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') block = withLine(block, line);
      else {
        if (Object.keys(block).length > 0) yield block;
        block = {};
      }
    }
    if (rest.length + (block.data?.length ?? 0) > MAX_CHARACTERS)
      throw broken('The answer has an event without end.');
  }
}

function withLine(block: Block, line: string): Block {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  switch (name) {
    case 'event':
      return { ...block, event: value };
    case 'data':
      return { ...block, data: block.data === undefined ? value : `${block.data}\n${value}` };
    case 'id':
      return { ...block, id: value };
    default:
      return block;
  }
}
