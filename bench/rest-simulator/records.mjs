// @ts-check

export const ADMINISTRATION_ID = '1001';

const DEBTORS = 10_000;
const CREDIT_CASES = 1_000;

/** Uses letters of one, two and three bytes, since encoding them is part of a gateway's work. */
const PEOPLE = ['Anouk de Vries', 'Daniël Fröhlich', 'Hélène Coëlho', 'Søren Østergaard', 'Zoë IJzerman'];
const BUSINESSES = ['Bouwgroep Noord B.V.', 'Café Zuiderpark V.O.F.', 'Łódź Sp. z o.o.', '東京商事'];
const PLACES = [
  { city: 'Amsterdam', country_code: 'NL', postal_code: '1012 AB', street_1: 'Damrak' },
  { city: "'s-Hertogenbosch", country_code: 'NL', postal_code: '5211 XK', street_1: 'Markt' },
  { city: 'München', country_code: 'DE', postal_code: '80331', street_1: 'Hauptstraße' },
  { city: 'Liège', country_code: 'BE', postal_code: '4000', street_1: 'Rue Léopold' },
  { city: '東京', country_code: 'JP', postal_code: '100-0001', street_1: '千代田' },
];
const LABELS = ['VIP', 'Incasso', 'Überfällig', 'Zorg'];

export const debtors = Array.from({ length: DEBTORS }, (_, index) => createDebtor(index));
export const deletedCreditCases = Array.from({ length: CREDIT_CASES }, (_, index) => ({
  id: String(7_000_001 + index),
  administration_id: ADMINISTRATION_ID,
  // Scattered, so that the joined debtors are neither in order nor all alike.
  debtor_id: debtorId((index * 37) % DEBTORS),
  deleted_at: moment(index),
}));

/** @param {number} index */
export function debtorId(index) {
  return String(2_000_001 + index);
}

/** @param {number} index */
function createDebtor(index) {
  const person = pick(PEOPLE, index);
  const isBusiness = index % 5 < 3;
  const name = isBusiness ? pick(BUSINESSES, index) : person;
  const mail = (/** @type {string} */ box) => `${box}.${index}@example.com`;
  return {
    id: debtorId(index),
    administration_id: ADMINISTRATION_ID,
    debtor_number: `D${100_000 + index}`,
    debtor_identifier: `ERP-${index}/ë`,
    name,
    postal_address: pick(PLACES, index),
    bank_account_number: index % 3 === 0 ? null : `NL02DEMO${1_000_000_000 + index}`,
    book_open_amount: amount(index),
    call_phone_number: index % 2 === 0 ? `+31 20 555 ${1_000 + (index % 9_000)}` : null,
    sms_phone_number: index % 2 === 0 ? null : `+31 6 555 ${10_000 + index}`,
    coc_number: isBusiness ? String(30_000_000 + index) : null,
    vat_number: isBusiness ? `NL${800_000_000 + index}B01` : null,
    credit_limit_amount: index % 4 === 0 ? null : amount(index * 3),
    primary_email_address: mail('info'),
    invoice_email_address: mail('facturen'),
    reminder_email_address: index % 3 === 0 ? null : mail('herinneringen'),
    public_url: `https://portal.example.com/d/${index}`,
    labels: LABELS.filter((_, place) => (index >> place) % 2 === 1).map((label) => ({ name: label })),
    language_code: index % 9 === 0 ? null : 'nl',
    payment_behaviour: (index % 150) - 30,
    peppol_identifier: index % 4 === 0 ? `0106:${10_000_000 + index}` : null,
    peppol_enabled: pick([true, false, null], index),
    relation_manager: index % 2 === 0 ? person : null,
    remark: index % 5 === 0 ? 'Belt liever niet vóór 10 uur – “altijd” per e-mail' : null,
    paused_at: index % 10 === 0 ? moment(index) : null,
    updated_at: moment(index * 7),
  };
}

/** @type {<T>(list: readonly T[], index: number) => T | undefined} */
function pick(list, index) {
  return list[index % list.length];
}

/** @param {number} index */
function amount(index) {
  return (((index * 7_919) % 1_000_000) / 100).toFixed(2);
}

/** @param {number} index */
export function moment(index) {
  return new Date(Date.UTC(2025, 0, 1) + index * 61_000).toISOString();
}
