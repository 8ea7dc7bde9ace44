const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:)(\d\d)(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/i;

/**
 * A moment of RFC 3339 as one in UTC, without its `Z`; undefined if it is none. All digits of a second are kept, of which
 * Date would keep three. A leap second, which most programs cannot read, becomes the second that follows.
 */
export function utcMoment(text: string): string | undefined {
  const moment = readMoment(text);
  return moment && moment.second + moment.fraction;
}

/** The same, so that texts compare as their moments do. */
export function comparableMoment(text: string): string | undefined {
  const moment = readMoment(text);
  return moment && moment.second + moment.fraction.replace(/(?<!0)\.?0+$/, '');
}

interface Moment {
  /** In UTC. */
  readonly second: string;
  readonly fraction: string;
}

function readMoment(text: string): Moment | undefined {
  const [, day, minute = '', seconds = '', fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const isLeap = seconds === '60';
  const written = `${day}T${minute}${isLeap ? '59' : seconds}`;
  const local = new Date(`${written}Z`);
  const date = new Date(`${written}${offset.toUpperCase()}`);
  // Date rolls 30 February over into March and prints years above 9999 with six digits: compare the round trip.
  if (Number.isNaN(local.getTime()) || Number.isNaN(date.getTime())) return undefined;
  if (!local.toISOString().startsWith(written) || !/^\d{4}-/.test(date.toISOString())) return undefined;
  const second = secondOf(date);
  if (!isLeap) return { second, fraction };
  // It ends a month, everywhere at once.
  const next = secondOf(new Date(date.getTime() + 1_000));
  return /^\d{4}-\d\d-01T00:00:00$/.test(next) ? { second: next, fraction: '' } : undefined;
}

function secondOf(date: Date): string {
  return date.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}
