/** Amounts are decimal strings. As numbers, they would lose cents beyond some ninety trillion. */
const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const counts = new Intl.NumberFormat();

/** Formats an amount in the user's locale with every digit: `Intl` accepts decimal strings. */
export function formatAmount(amount: string): string {
  return isDecimal(amount) ? amounts.format(amount) : amount;
}

/** Returns an example of how users of this locale write an amount. */
export const SAMPLE = formatAmount('1000.50');

/** Parses an amount that the user typed in their locale; undefined if it is invalid or ambiguous. */
export function readAmount(typed: string, locale?: string): string | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(-11111.1);
  const signOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const [, minus, whole = '', decimals] =
    new RegExp(`^(-?)(\\d+|\\d{1,3}(?:[${signOf('group')} ]\\d{3})+)(?:[${signOf('decimal')}](\\d+))?$`).exec(
      typed.trim(),
    ) ?? [];
  if (whole === '') return undefined;
  return `${minus}${whole.replace(/\D/g, '')}${decimals ? `.${decimals}` : ''}`;
}

/** Splits a formatted amount into groups of digits, between which it can wrap. */
export function groupsOf(formatted: string): string[] {
  return formatted.split(/(?<=\d\D)(?=\d{2,3}\D)/);
}

export function formatCount(count: number): string {
  return counts.format(count);
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
