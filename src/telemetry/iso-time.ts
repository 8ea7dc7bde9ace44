let second = Number.NaN;
let prefix = '';

/** A time as ISO 8601. The part up to the second is kept: `toISOString` took a third of a log line. */
export function isoTime(milliseconds: number): string {
  const current = Math.floor(milliseconds / 1000);
  if (current !== second) {
    second = current;
    prefix = new Date(current * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss.'.length);
  }
  return `${prefix}${String(milliseconds - current * 1000).padStart(3, '0')}Z`;
}
