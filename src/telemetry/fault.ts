import type { Details } from './log.ts';

const MAX_FRAMES = 10;
/** A frame in a file, with the function if it has a name. */
const FRAME =
  /^\s+at (?:(?:async )?([\w$.<>#[\] ]+) \()?(?:file:|\/|[A-Z]:\\).*?([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/;

/**
 * What may be logged of an unexpected error: not its message, which may hold a caller's data, but its name and where it
 * was thrown, by file and line.
 */
export function faultDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').flatMap((line) => {
    const [, name, place] = FRAME.exec(line) ?? [];
    return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
  });
  return { error: error.name, at: frames.slice(0, MAX_FRAMES) };
}
