/** Amounts are counted in cents, and sent as decimals. */
export function amountOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function centsOf(amount: string | null | undefined): number {
  return Number((amount ?? '0.00').replace('.', ''));
}
