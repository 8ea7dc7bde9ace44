import type { DebtorKind } from './creditors.ts';
import type { Place } from './places.ts';
import type { Random } from './random.ts';

export function createName(random: Random, kind: DebtorKind, { city, culture }: Place): string {
  const { firstNames, lastNames, institutions, trades, legalForms } = culture;
  if (kind === 'person') return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  if (kind === 'institution') return `${random.pick(institutions)} ${city}`;
  const family = random.pick(lastNames);
  // In Dutch, "de" and "van" are lower case only behind a first name.
  const owner = family.charAt(0).toUpperCase() + family.slice(1);
  return `${random.pick(trades)} ${owner} ${random.pick(legalForms)}`.trim();
}

/** An address in a domain that cannot exist. */
export function organisationMail(name: string, mailbox: string): string {
  return `${mailbox}@${wordsOf(name).join('-')}.example`;
}

/** With the whole first name, or with its initial. */
export function personMail(name: string, form: 'whole' | 'initial' = 'whole'): string {
  const [first = '', ...last] = wordsOf(name);
  return `${form === 'whole' ? first : first.charAt(0)}.${last.join('')}@example.com`;
}

const WITHOUT_MARKS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ł: 'l', ı: 'i' };

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[øæßłı]/g, (letter) => WITHOUT_MARKS[letter] ?? letter)
    .replace(/[^a-z0-9 -]/g, '')
    .split(/[ -]+/);
}
