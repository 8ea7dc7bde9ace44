/** Amounts come as decimal text. As numbers they would lose cents beyond some ninety trillion. */
const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const counts = new Intl.NumberFormat();

/** In the reader's own notation, every digit kept: Intl takes a decimal text as it is. */
export function formatAmount(amount: string): string {
  return isDecimal(amount) ? amounts.format(amount) : amount;
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
