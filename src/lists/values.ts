/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A longer text cannot be an amount of money, and would slow down every sum. */
const MAX_LENGTH = 1_000;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

export function parseDecimal(text: string): Decimal | undefined {
  const match = text.length > MAX_LENGTH ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  return { units: sign === '-' ? -digits : digits, scale: fraction.length };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = scaleUnits(a, scale) - scaleUnits(b, scale);
  return Number(difference > 0n) - Number(difference < 0n);
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: scaleUnits(a, scale) + scaleUnits(b, scale), scale };
}

/** Divides with two more digits than the decimal has, rounding half to even. */
export function divideDecimal({ units, scale }: Decimal, count: number): Decimal {
  const divisor = BigInt(count);
  const dividend = units * 100n;
  const quotient = dividend / divisor;
  const remainder = dividend - quotient * divisor;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n !== 0n);
  const away = dividend < 0n ? -1n : 1n;
  return { units: isUp ? quotient + away : quotient, scale: scale + 2 };
}

export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units);
  if (scale === 0) return sign + digits;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function scaleUnits({ units, scale }: Decimal, targetScale: number): bigint {
  return scale === targetScale ? units : units * 10n ** BigInt(targetScale - scale);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/i;

/** Converts an RFC 3339 timestamp to UTC without its `Z`, or returns undefined. Keeps all digits; Date keeps three. */
export function toUtcMoment(text: string): string | undefined {
  const [, day = '', time, fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // Date rolls 30 February over to March, and 24:00 to the next day.
  if (date.getUTCDate() !== Number(day.slice(-2))) return undefined;
  const second = offset.toUpperCase() === 'Z' ? `${day}T${time}` : toUtcSecond(`${day}T${time}${offset}`);
  return second && second + fraction;
}

/** Removes trailing zeros, so that equal times are equal texts. */
export function toComparableMoment(text: string): string | undefined {
  const moment = toUtcMoment(text);
  return moment?.includes('.') ? moment.replace(/\.?0+$/, '') : moment;
}

/** Returns undefined for invalid offsets, and for years after 9999, which Date prints with six digits. */
function toUtcSecond(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : /^\d{4}-.{14}/.exec(date.toISOString())?.[0];
}
