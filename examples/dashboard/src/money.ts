/** Amounts come as decimal text. As numbers they would lose cents beyond some ninety trillion. */
const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const counts = new Intl.NumberFormat();

/** In the reader's own notation, every digit kept: Intl takes a decimal text as it is. */
export function formatAmount(amount: string): string {
  return isDecimal(amount) ? amounts.format(amount) : amount;
}

export function formatCount(count: number): string {
  return counts.format(count);
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
