/** A number without rounding. The denominator is positive; fractions are not reduced. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export const ZERO: Fraction = { over: 0n, under: 1n };

const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)$/;

/** A decimal as a fraction, or null where the text is none. */
export function fractionOf(text: string): Fraction | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', decimals = ''] = match;
  const digits = BigInt(`${whole}${decimals}`);
  return { over: sign === '-' ? -digits : digits, under: 10n ** BigInt(decimals.length) };
}

/** How many digits stand behind the point. */
export function scaleOf(text: string): number {
  return DECIMAL.exec(text)?.[3]?.length ?? 0;
}

export function add(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

export function divide(a: Fraction, count: number): Fraction {
  return { over: a.over, under: a.under * BigInt(count) };
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** As a decimal with so many digits behind the point; half of the last digit goes to the even neighbour. */
export function decimalText({ over, under }: Fraction, scale: number): string {
  const size = over < 0n ? -over : over;
  const scaled = size * 10n ** BigInt(scale);
  const below = scaled / under;
  const twiceTheRest = (scaled % under) * 2n;
  const isUp = twiceTheRest > under || (twiceTheRest === under && below % 2n === 1n);
  const digits = String(isUp ? below + 1n : below).padStart(scale + 1, '0');
  const sign = over < 0n && /[1-9]/.test(digits) ? '-' : '';
  const point = digits.length - scale;
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
