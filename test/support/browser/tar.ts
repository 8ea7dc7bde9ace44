const BLOCK_BYTES = 512;

/** The files of a tar archive, whose paths have to fit into its headers. */
export function* readTar(tar: Buffer): Generator<{ readonly path: string; readonly content: Buffer }> {
  let header = 0;
  const text = (start: number, end: number) =>
    tar.toString('utf8', header + start, header + end).replace(/\0.*/s, '');
  // The last headers are zeros.
  while (tar[header]) {
    const start = header + BLOCK_BYTES;
    const size = Number.parseInt(text(124, 136), 8);
    const isFile = ['', '0'].includes(text(156, 157));
    if (isFile) yield { path: text(0, 100), content: tar.subarray(start, start + size) };
    header = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}
