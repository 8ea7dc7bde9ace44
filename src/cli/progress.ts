/** A line that says what is under way, where somebody watches. */
export interface Progress {
  show(text: string): void;
  clear(): void;
}

const ERASE = '\r\x1b[2K';

export function createProgress(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown },
): Progress {
  if (!stream.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void stream.write(`${ERASE}${text.slice(0, stream.columns - 1)}`),
    clear: () => void stream.write(ERASE),
  };
}
