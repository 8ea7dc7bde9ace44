import type { Random } from './random.ts';

/**
 * By country: its currency, how much of that is about one euro, and what the numbers of a company, for VAT without the
 * country, of an account without country and check digits, of a mobile phone and for Peppol look like. `#` stands for a digit, `{no}` for those of
 * the company's number and `{vat}` for the VAT number; the banks do not exist.
 */
const PATTERNS = {
  NL: ['EUR', 1, '########', '8########B0#', 'DEMO0#########', '+31 6 555 ## ###', '0106:{no}'],
  BE: ['EUR', 1, '0###.###.###', '{no}', '999#########', '+32 455 ## ## ##', '0208:{no}'],
  DE: ['EUR', 1, 'HRB ######', '#########', '99999999##########', '+49 171 39 200 ##', '9930:{vat}'],
  DK: ['DKK', 7.5, '########', '{no}', '9999##########', '+45 20 55 ## ##', '0184:{no}'],
  FR: ['EUR', 1, '#########', '##{no}', '9999900000###########99', '+33 6 39 98 ## ##', '0002:{no}'],
  NO: ['NOK', 11.5, '9########', '{no}MVA', '9999#######', '+47 455 ## ###', '0192:{no}'],
  PL: ['PLN', 4.25, '0000######', '##########', '99999999################', '+48 555 ### ###', '9945:{vat}'],
} as const;

export type CountryCode = keyof typeof PATTERNS;

export type Country = ReturnType<typeof countryOf>;

export function countryOf(code: CountryCode) {
  const [currency, perEuro, companyNumber, vatNumber, account, mobile, peppolIdentifier] = PATTERNS[code];
  return { code, currency, perEuro, companyNumber, vatNumber, account, mobile, peppolIdentifier };
}

/** An IBAN, with check digits that are right. */
export function ibanOf({ code, account }: Country, random: Random): string {
  const filled = random.fill(account);
  const digits = `${filled}${code}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `${code}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${filled}`;
}
