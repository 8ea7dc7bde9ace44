import type { Details } from './log.ts';

const MAX_FRAMES = 10;

/** What may be logged of an unexpected error: not its message, which may hold a caller's data, but where it was thrown. */
export function faultDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, at: frames.slice(0, MAX_FRAMES).map((frame) => frame.trim().slice(3)) };
}
