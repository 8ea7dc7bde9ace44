import type { Debtor, DeclarationLine, Task } from '../../src/demo/data/records.ts';

/** What nobody would believe of a debtor, each with what it is. */
const OF_DEBTORS: Readonly<Record<string, (debtor: Debtor) => boolean>> = {
  'an amount beyond what is owed in a practice': (debtor) =>
    amountsOf(debtor).some((amount) => !/^-?(0|[1-9]\d{0,5})\.\d\d$/.test(amount)),
  'more credit to the debtor than a mistake': ({ book_open_amount }) => Number(book_open_amount) < -200,
  'a negative limit': ({ book_open_amount: _open, ...limits }) =>
    amountsOf(limits).some((amount) => Number(amount) < 0),
  'a text that is odd': (debtor) => textsOf(debtor).some((text) => !PLAIN.test(text) || text.length > 80),
  'an identifier that needs care in a URL': ({ debtor_identifier, debtor_number }) =>
    !/^ERP-\d+$/.test(debtor_identifier) || !/^D\d+$/.test(debtor_number),
  'collected or paid by instalments, but nothing open': (debtor) =>
    hasLabel(debtor, 'Incasso', 'Betalingsregeling') && !isOwing(debtor),
  'collected, but paying in time': (debtor) =>
    hasLabel(debtor, 'Incasso', 'Betalingsregeling') && !(Number(debtor.payment_behaviour) > 20),
  'paused, but nothing open': (debtor) =>
    Boolean(debtor.paused_at ?? debtor.reminding_paused_at) && !isOwing(debtor),
  'paused after the last update': ({ paused_at, reminding_paused_at, updated_at }) =>
    [paused_at, reminding_paused_at].some((at) => at && Date.parse(at) > Date.parse(updated_at)),
  'a person with numbers of a company': (debtor) =>
    !isOrganisation(debtor) && Boolean(debtor.vat_number ?? debtor.peppol_identifier),
  'a person who is a company by name or label': (debtor) =>
    !isOrganisation(debtor) &&
    (/ (B\.?V\.?|V\.?O\.?F\.?|GmbH|SARL|SRL|A\/S|ApS|AS)$/.test(debtor.name) ||
      hasLabel(debtor, 'Zakelijk', 'VIP')),
  'a company under guardianship': (debtor) => isOrganisation(debtor) && hasLabel(debtor, 'Bewindvoering'),
  'numbers of another country': (debtor) => !isOfOneCountry(debtor),
  'a bank account with wrong check digits': ({ bank_account_number: account }) =>
    Boolean(account) && !hasRightCheckDigits(account ?? ''),
  'an account of somebody else': ({ bank_account_name, name }) =>
    Boolean(bank_account_name) && bank_account_name !== name,
};

const OF_LINES: Readonly<Record<string, (line: DeclarationLine) => boolean>> = {
  'an amount that nobody declares': ({ amount }) => !(Number(amount) > 0 && Number(amount) < 20_000),
  'more paid and rejected than declared': ({ amount, reimbursed_amount, rejected_amount }) =>
    cents(reimbursed_amount) + cents(rejected_amount) > cents(amount),
  'an answer before it was sent': ({ claim_status, claim_response_codes = [], ...amounts }) =>
    (!claim_status || claim_status === 'draft' || claim_status === 'submitted') &&
    (claim_response_codes.length > 0 || Boolean(amounts.reimbursed_amount ?? amounts.rejected_amount)),
  'processed without a decision on every cent': ({ claim_status, amount, ...amounts }) =>
    claim_status === 'processed' &&
    cents(amounts.reimbursed_amount) + cents(amounts.rejected_amount) !== cents(amount),
  'refused and paid': ({ claim_status, reimbursed_amount }) =>
    (claim_status === 'failed' || claim_status === 'action_required') && cents(reimbursed_amount) > 0,
  'credited without an invoice, or the other way round': ({ credited_amount, credit_invoice_identifier }) =>
    Boolean(credited_amount) !== Boolean(credit_invoice_identifier),
  'more credited than declared': ({ amount, credited_amount }) => cents(credited_amount) > cents(amount),
};

const OF_TASKS: Readonly<Record<string, (task: Task) => boolean>> = {
  'completed before it was created': ({ created_at, completed_at }) =>
    Boolean(completed_at) && Date.parse(completed_at ?? '') < Date.parse(created_at),
  'comments that are not in order, or outside of its life': ({ created_at, comments = [], updated_at }) => {
    const times = [created_at, ...comments.map((comment) => comment.created_at), updated_at].map(Date.parse);
    return times.some((time, index) => time < (times[index - 1] ?? 0));
  },
  'a status without completion, or a message without a status': (task) =>
    Boolean(task.completed_at) !== Boolean(task.completed_status) ||
    (Boolean(task.completed_status_message) && !task.completed_status),
};

/** What is wrong with some of the records: which, and what. */
function contradictionsIn<R extends { readonly id: string }>(
  records: readonly R[],
  rules: Readonly<Record<string, (record: R) => boolean>>,
): string[] {
  return records.flatMap((record) =>
    Object.entries(rules).flatMap(([what, isWrong]) => (isWrong(record) ? `${record.id}: ${what}` : [])),
  );
}

export const contradictions = {
  ofDebtors: (debtors: readonly Debtor[]) => contradictionsIn(debtors, OF_DEBTORS),
  ofLines: (lines: readonly DeclarationLine[]) => contradictionsIn(lines, OF_LINES),
  ofTasks: (tasks: readonly Task[]) => contradictionsIn(tasks, OF_TASKS),
};

/** Letters of Europe and what is common in names, streets and remarks. */
const PLAIN = /^[\p{Script=Latin}\d ,.;:&'@+/-]*$/u;

/** By country: currency, languages, prefix of a phone number and scheme of Peppol. */
const COUNTRIES: Readonly<Record<string, readonly [string, string, string, RegExp]>> = {
  NL: ['EUR', 'nl', '+31', /^0106:\d{8}$/],
  BE: ['EUR', 'nl fr', '+32', /^0208:\d{10}$/],
  DE: ['EUR', 'de', '+49', /^9930:DE\d{9}$/],
  DK: ['DKK', 'da', '+45', /^0184:\d{8}$/],
  FR: ['EUR', 'fr', '+33', /^0002:\d{9}$/],
  NO: ['NOK', 'nb', '+47', /^0192:\d{9}$/],
  PL: ['PLN', 'pl', '+48', /^9945:PL\d{10}$/],
};

function isOfOneCountry(debtor: Debtor): boolean {
  const { country_code: code } = debtor.postal_address;
  const [currency, languages = '', prefix = '', peppol] = COUNTRIES[code] ?? [];
  const { call_phone_number, sms_phone_number, bank_account_number, vat_number } = debtor;
  return [
    languages.includes(debtor.language_code ?? ''),
    (debtor.external_credit_limit_currency_code ?? currency) === currency,
    [call_phone_number, sms_phone_number].every((phone) => !phone || phone.startsWith(`${prefix} `)),
    [bank_account_number, vat_number].every((number) => !number || number.startsWith(code)),
    !debtor.peppol_identifier || peppol?.test(debtor.peppol_identifier),
  ].every(Boolean);
}

function hasRightCheckDigits(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}

function amountsOf(record: object): string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    name.endsWith('amount') && typeof value === 'string' ? [value] : [],
  );
}

function textsOf({ postal_address, labels = [], public_url: _public, deeplink_url: _link, ...rest }: Debtor) {
  const values: unknown[] = [
    ...Object.values(rest),
    ...Object.values(postal_address),
    ...labels.map(({ name }) => name),
  ];
  return values.filter((value) => typeof value === 'string');
}

function cents(amount: string | null | undefined): number {
  return Math.round(Number(amount ?? 0) * 100);
}

function isOwing({ book_open_amount }: Debtor): boolean {
  return Number(book_open_amount) > 0;
}

function isOrganisation({ coc_number }: Debtor): boolean {
  return Boolean(coc_number);
}

function hasLabel({ labels = [] }: Debtor, ...names: string[]): boolean {
  return labels.some(({ name }) => names.includes(name));
}
