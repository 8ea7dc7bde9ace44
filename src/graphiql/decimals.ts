const DECIMAL = /^-?\d+(\.\d+)?$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** Exactly: as numbers, large amounts would lose cents. */
export function compareDecimals(one: string, other: string): number {
  const digits = Math.max(decimalsOf(one).length, decimalsOf(other).length);
  const difference = scaled(one, digits) - scaled(other, digits);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function decimalsOf(text: string): string {
  return text.split('.')[1] ?? '';
}

/** `-1.5` with two digits is -150. */
function scaled(text: string, digits: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(digits - decimalsOf(text).length));
}
