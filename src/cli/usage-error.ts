/** A command line that is wrong; the message says what, without a full stop: `main` adds where to read on. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
