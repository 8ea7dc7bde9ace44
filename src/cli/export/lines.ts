/** Lines that end as such; what stands behind the last line end was cut off. */
export async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    // Other characters that end a line for some, such as U+2028, may stand in JSON.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
