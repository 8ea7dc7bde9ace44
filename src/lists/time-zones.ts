import { getOrCreate, lruMap } from '../memoize.ts';

/** Converts a UTC time to local time, both without an offset. */
export type ToLocal = (moment: string) => string;

/** Later versions of Node also accept offsets, such as `+01:00`. */
const NAME = /^[a-z][\w/+-]{0,63}$/i;
/** Creating a formatter is slow. */
const zones = lruMap<ToLocal>(100);

/** Returns undefined if the IANA database has no such time zone. */
export function findTimeZone(name: string): ToLocal | undefined {
  if (name === 'UTC') return (moment) => moment;
  try {
    return NAME.test(name) ? getOrCreate(zones, name, createToLocal) : undefined;
  } catch {
    return undefined;
  }
}

function createToLocal(timeZone: string): ToLocal {
  // Swedish dates are in ISO 8601, with a space instead of the `T`.
  const { format } = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (moment) =>
    format(Date.parse(`${moment}Z`))
      .padStart(19, '0')
      .replace(' ', 'T');
}
