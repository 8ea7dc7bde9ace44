import type { Details } from './log.ts';

const MAX_FRAMES = 10;
/** Of `    at async name (file:///folder/file.js:12:3)`: the function, if it has a name, and the place in a file. */
const FUNCTION = /^\s+at (?:async )?([\w$.<>#[\] ]+) \(/;
const PLACE = /^([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/;

/**
 * What may be logged of an unexpected error: not its message, which may hold a caller's data, but its name and where it
 * was thrown, by file and line.
 */
export function faultDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').flatMap((line) => {
    const folder = Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'));
    const [, place] = (folder > 0 && PLACE.exec(line.slice(folder + 1))) || [];
    const [, name] = FUNCTION.exec(line) ?? [];
    return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
  });
  return { error: error.name, at: frames.slice(0, MAX_FRAMES) };
}
