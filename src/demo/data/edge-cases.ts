import { type Debtor, type DeclarationLine, type DeletedPayment, debtorShape } from './records.ts';

/** The administration for tests of clients. It has the values that are valid but rare; the others look realistic. */
export const EDGE_CASE_ADMINISTRATION = '1003';

const STREET = { street_1: '千代田区千代田1-1', street_2: null };
const TOKYO = { city: '東京', country_code: 'JP', postal_code: '100-0001', region: '関東', ...STREET };

const POLE = { city: 'Villa Las Estrellas', country_code: 'AQ' };
const RARE = { external_credit_limit_amount: '12345.6789', external_credit_limit_currency_code: 'CLF' };
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59.999Z';
const TWICE = { debtor_number: 'TWICE', debtor_identifier: 'TWICE' };

/** Edge cases, each with a description and its unusual fields. */
type Cases<R> = readonly (readonly [description: string, fields: Partial<R>])[];

/** The name contains the description, or the remark does if the name is the edge case. */
const DEBTORS: Cases<Debtor> = [
  ['Only what is required', {}],
  ['Null wherever null may be', createNulls()],
  ['Empty texts', { remark: '', primary_email_address: '', language_code: '', vat_number: '' }],
  ['An empty name', { name: '' }],
  ['An amount that no double can hold', { book_open_amount: '9007199254740993.01' }],
  ['An amount of 30 digits', { book_open_amount: '1234567890123456789012345678.90' }],
  ['An amount with seven decimals', { book_open_amount: '1234.5678901' }],
  ['Amounts without decimals', { book_open_amount: '1500', credit_limit_amount: '0' }],
  ['The largest number of 32 bits', { payment_behaviour: 2_147_483_647 }],
  ['The smallest number of 32 bits', { payment_behaviour: -2_147_483_648 }],
  ['A Japanese name and address', { name: '東京商事株式会社', language_code: 'ja', postal_address: TOKYO }],
  ['A name from right to left', { name: 'شركة النور للتجارة', language_code: 'ar' }],
  ['A name in both directions', { name: 'סניף 12 בע"מ (Tel Aviv)', language_code: 'he' }],
  ['Emoji of several code points', { name: 'Bakkerij 👩‍🍳🥐 🏳️‍🌈 👍🏽' }],
  ['Marks as code points of their own', { name: 'Zoe\u0308 Fro\u0308hlich' }],
  ['Characters that nobody sees', { name: '\ufeffDe\u00a0Boer\u200b \u00adB.V.\u2028' }],
  ['A name of 300 letters without a space', { name: 'Rundvleesetikettering'.repeat(15).slice(0, 300) }],
  ['A very long remark', { remark: 'Many words. '.repeat(500).trim() }],
  ['A remark of several lines', { remark: 'One\nTwo\r\nThree, with a\ttab\n\nFive, after an empty line' }],
  ['Quotes of all kinds', { name: `O'Neill "De Beste" \\ Zonen`, bank_account_name: '„a” «b» `c`' }],
  ['HTML, to be shown as text', { name: '<b>Jansen</b> &amp; <script>alert("no")</script>' }],
  ['What a spreadsheet would calculate', { name: '=1+1', bank_account_name: '@SUM(A1:A9)' }],
  ['What careless SQL would run', { name: "Robert'); DROP TABLE debtors; --" }],
  ['Reserved characters in the identifier', { debtor_identifier: 'K&L 10003/ë+1' }],
  ['Number and identifier like paths', { debtor_number: '2025/001', debtor_identifier: '../2025/001' }],
  ['A comma in the identifier, which no list of identifiers can have', { debtor_identifier: '10,5' }],
  ['Spaces around name and identifier', { name: '  Bakker  ', debtor_identifier: ' ERP 5 ' }],
  ['The number of the next debtor too', TWICE],
  ['The number of the previous debtor too', TWICE],
  ['A name that differs in its case', { name: 'de boer' }],
  ['A name that differs in its marks', { name: 'De Boër' }],
  ['200 labels', { labels: Array.from({ length: 200 }, (_, index) => ({ name: `Label ${index + 1}` })) }],
  ['One label twice, and an empty one', { labels: ['Twice', 'Twice', ''].map((name) => ({ name })) }],
  ['The first and the last date that can be written', { paused_at: FIRST, reminding_paused_at: LAST }],
  ['Not updated since the last century', { updated_at: '1999-12-31T23:59:59Z' }],
  ['A rare country, language and currency', { postal_address: POLE, language_code: 'zh-Hant-TW', ...RARE }],
];

/** `createMany` adds ids and the administration. */
export const debtors = DEBTORS.map(([description, fields], index) => ({
  debtor_number: `ODD${index + 1}`,
  debtor_identifier: `ODD-${index + 1}`,
  name: description,
  postal_address: { city: 'Groningen', country_code: 'NL' },
  ...('name' in fields && { remark: description }),
  updated_at: `2025-06-01T12:00:${String(index).padStart(2, '0')}Z`,
  ...fields,
}));

function createNulls(): Partial<Debtor> {
  const { id, administration_id, debtor_number, debtor_identifier, name, updated_at, labels, ...rest } =
    debtorShape;
  const address = { postal_code: null, region: null, street_1: null, street_2: null };
  const nulls = Object.fromEntries(Object.keys(rest).map((field) => [field, null]));
  return { ...nulls, postal_address: { city: 'Groningen', country_code: 'NL', ...address } };
}

const RESERVED = { order_line_identifier: 'OL&1/ë+2', invoice_identifier: 'INV #1?' };

const LINES: Cases<DeclarationLine> = [
  ['A negative amount', { amount: '-45.60', rejected_amount: '-45.60' }],
  ['Reserved characters in identifiers', RESERVED],
  ['A claim without a status', { claim: true, claim_status: null }],
  ['50 response codes', { claim_response_codes: Array.from({ length: 50 }, (_, index) => `C-${index + 1}`) }],
  ['A customer without an address', { customer: {} }],
  ['Text of a second line and emoji', { product_identifier: 'P-1\nP-2 👩‍🍳' }],
  ['From the beginning of time', { created_at: '1970-01-01T00:00:00Z' }],
];

const LINE = {
  claim: false,
  claim_response_codes: [],
  amount: '100.00',
  created_at: '2025-05-01T12:00:00Z',
  updated_at: '2025-06-01T12:00:00Z',
};
export const lines = LINES.map(([product_identifier, fields]) => ({
  ...LINE,
  product_identifier,
  ...fields,
}));

/** Timestamps of deletions count from the start of a service. */
const deleted_at = new Date(-86_400_000).toISOString();

/** The debtors have an unusual name, have a number twice, and do not exist. */
export function deletedCases(debtors: readonly Debtor[]) {
  const named = debtors.find(({ name }) => name.startsWith('東京'));
  const double = debtors.find(({ debtor_number }) => debtor_number === 'TWICE');
  return [named?.id, double?.id, 'no debtor/1'].map((debtor_id = '1') => ({ debtor_id, deleted_at }));
}

export const payments: Omit<DeletedPayment, 'id' | 'administration_id'>[] = [
  { deleted_at },
  { deleted_at, origin_identifier: null, invoice_id: null },
  { deleted_at, origin_identifier: 'BANK&1/ë+2 "3"', invoice_id: '' },
];
