/** Amounts come as decimal text. As numbers they would lose cents beyond some ninety trillion. */
const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const counts = new Intl.NumberFormat();

/** In the reader's own notation, every digit kept: Intl takes a decimal text as it is. */
export function formatAmount(amount: string): string {
  return isDecimal(amount) ? amounts.format(amount) : amount;
}

/** How a reader of this language would write it, as an example. */
export const SAMPLE = formatAmount('1000.50');

/** The decimal that a reader has typed, with the signs of their language; undefined if it is none, or could be another. */
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

/** The parts of a formatted amount: where it does not fit in one line, it breaks between groups of digits. */
export function groupsOf(formatted: string): string[] {
  return formatted.split(/(?<=\d\D)(?=\d{2,3}\D)/);
}

export function formatCount(count: number): string {
  return counts.format(count);
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
