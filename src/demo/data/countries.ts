import type { Random } from './random.ts';

/** What the numbers of a country look like: `#` stands for a digit, and the banks do not exist. */
export interface Country {
  readonly code: string;
  readonly currency: string;
  /** How much of its currency is about one euro. */
  readonly perEuro: number;
  readonly companyNumber: string;
  readonly vatNumber: (companyNumber: string, random: Random) => string;
  /** An account without country and check digits. */
  readonly account: string;
  readonly mobile: string;
  readonly peppolIdentifier: (companyNumber: string, vatNumber: string) => string;
}

const euro = { currency: 'EUR', perEuro: 1 };

const digitsOf = (text: string) => text.replace(/\D/g, '');

export const NL: Country = {
  code: 'NL',
  ...euro,
  companyNumber: '########',
  vatNumber: (_number, random) => random.fill('NL8########B0#'),
  account: 'DEMO0#########',
  mobile: '+31 6 555 ## ###',
  peppolIdentifier: (number) => `0106:${number}`,
};

export const BE: Country = {
  code: 'BE',
  ...euro,
  companyNumber: '0###.###.###',
  vatNumber: (number) => `BE${digitsOf(number)}`,
  account: '999#########',
  mobile: '+32 455 ## ## ##',
  peppolIdentifier: (number) => `0208:${digitsOf(number)}`,
};

export const DE: Country = {
  code: 'DE',
  ...euro,
  companyNumber: 'HRB ######',
  vatNumber: (_number, random) => random.fill('DE#########'),
  account: '99999999##########',
  mobile: '+49 171 39 200 ##',
  peppolIdentifier: (_number, vatNumber) => `9930:${vatNumber}`,
};

export const DK: Country = {
  code: 'DK',
  currency: 'DKK',
  perEuro: 7.5,
  companyNumber: '########',
  vatNumber: (number) => `DK${number}`,
  account: '9999##########',
  mobile: '+45 20 55 ## ##',
  peppolIdentifier: (number) => `0184:${number}`,
};

export const FR: Country = {
  code: 'FR',
  ...euro,
  companyNumber: '#########',
  vatNumber: (number, random) => `${random.fill('FR##')}${number}`,
  account: '9999900000###########99',
  mobile: '+33 6 39 98 ## ##',
  peppolIdentifier: (number) => `0002:${number}`,
};

export const NO: Country = {
  code: 'NO',
  currency: 'NOK',
  perEuro: 11.5,
  companyNumber: '9########',
  vatNumber: (number) => `NO${number}MVA`,
  account: '9999#######',
  mobile: '+47 455 ## ###',
  peppolIdentifier: (number) => `0192:${number}`,
};

export const PL: Country = {
  code: 'PL',
  currency: 'PLN',
  perEuro: 4.25,
  companyNumber: '0000######',
  vatNumber: (_number, random) => random.fill('PL##########'),
  account: '99999999################',
  mobile: '+48 555 ### ###',
  peppolIdentifier: (_number, vatNumber) => `9945:${vatNumber}`,
};

/** An IBAN, with check digits that are right. */
export function ibanOf({ code, account }: Country, random: Random): string {
  const filled = random.fill(account);
  const digits = `${filled}${code}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `${code}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${filled}`;
}
