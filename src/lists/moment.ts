const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/;

/**
 * A moment in ISO 8601 as one in UTC, without its `Z`; undefined if it is none. All digits of a second are kept, of which
 * Date would keep three.
 */
export function utcMoment(text: string): string | undefined {
  const [, moment, fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
  if (moment === undefined) return undefined;
  const local = new Date(`${moment}Z`);
  const date = new Date(`${moment}${offset}`);
  // Date rolls 30 February over into March and prints years above 9999 with six digits: compare the round trip.
  if (Number.isNaN(local.getTime()) || Number.isNaN(date.getTime())) return undefined;
  if (!local.toISOString().startsWith(moment) || !/^\d{4}-/.test(date.toISOString())) return undefined;
  return `${date.toISOString().slice(0, 19)}${fraction}`;
}

/** The same, so that texts compare as their moments do. */
export function comparableMoment(text: string): string | undefined {
  return utcMoment(text)?.replace(/\.?0+$/, (zeros, index: number) => (index > 18 ? '' : zeros));
}
