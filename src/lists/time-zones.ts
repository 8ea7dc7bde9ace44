import { getOrCreate, lruMap } from '../memoize.ts';

/** Converts a moment in UTC to local time, both without an offset. */
export type ToLocal = (moment: string) => string;

/** Later versions of Node also take offsets, such as `+01:00`. */
const NAME = /^[a-z][\w/+-]{0,63}$/i;
/** By name, which callers may write in any case: it takes long to create a formatter. */
const zones = lruMap<ToLocal>(100);

/** Returns undefined if the IANA database has no time zone of this name. */
export function findTimeZone(name: string): ToLocal | undefined {
  if (name === 'UTC') return (moment) => moment;
  try {
    return NAME.test(name) ? getOrCreate(zones, name, createToLocal) : undefined;
  } catch {
    return undefined;
  }
}

function createToLocal(timeZone: string): ToLocal {
  // Swedish dates are written as in ISO 8601, with a space in place of the `T`.
  const { format } = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (moment) =>
    format(Date.parse(`${moment}Z`))
      .padStart(19, '0')
      .replace(' ', 'T');
}
