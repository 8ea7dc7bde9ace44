/** Amounts come as decimal text. As numbers they would lose cents beyond some ninety trillion. */
const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 });

/** In the reader's own notation, every digit kept: Intl takes a decimal text as it is. */
export function formatAmount(amount: string): string {
  return isDecimal(amount) ? format.format(amount) : amount;
}

/** Text that is no decimal is passed by; nobody can say what it adds. */
export function addAmounts(amounts: readonly string[]): string {
  const decimals = amounts.filter(isDecimal);
  const digits = Math.max(2, ...decimals.map((amount) => fractionOf(amount).length));
  const sum = decimals.reduce((total, amount) => total + scaled(amount, digits), 0n);
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0');
  return `${sum < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function fractionOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}

/** `-1.5` with two digits is -150. */
function scaled(amount: string, digits: number): bigint {
  const fraction = fractionOf(amount);
  return BigInt(amount.replace('.', '') + '0'.repeat(digits - fraction.length));
}
