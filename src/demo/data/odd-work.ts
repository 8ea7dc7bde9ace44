import { ODD_ADMINISTRATION } from './odd-administration.ts';
import type { Debtor, DeclarationLine, DeletedCreditCase, DeletedPayment, Message, Task } from './records.ts';

/** Each with its oddity, and what that is. */
type Cases<R> = readonly (readonly [what: string, oddity: Partial<R>])[];

const LINES: Cases<DeclarationLine> = [
  ['An amount that no double can hold', { amount: '9007199254740993.01' }],
  ['An amount of 30 digits', { amount: '1234567890123456789012345678.90', reimbursed_amount: '0.00' }],
  ['A negative amount', { amount: '-45.60', rejected_amount: '-45.60' }],
  ['An amount with seven decimals', { amount: '0.0000001' }],
  [
    'Reserved characters in identifiers',
    { order_line_identifier: 'OL&1/ë+2', invoice_identifier: 'INV #1?' },
  ],
  ['A claim without a status', { claim: true, claim_status: null }],
  ['50 response codes', { claim_response_codes: Array.from({ length: 50 }, (_, index) => `C-${index + 1}`) }],
  ['A customer without an address', { customer: {} }],
  ['Text of a second line and emoji', { product_identifier: 'P-1\nP-2 👩‍🍳' }],
  ['From the beginning of time', { created_at: '1970-01-01T00:00:00Z' }],
];

const TASKS: Cases<Task> = [
  ['Text of several lines, and quotes', { description: 'One\nTwo "quoted"\r\nThree\t<b>four</b>' }],
  ['A subject from right to left', { subject: 'اتصل بالمدين 👍🏽' }],
  ['A debtor that does not exist', { debtor_id: '1' }],
  ['Completed without a status', { completed_at: '2025-06-01T12:00:00Z' }],
];

export function createOddLines(firstId: number): DeclarationLine[] {
  return LINES.map(([what, oddity], index) => ({
    id: String(firstId + index * 3),
    administration_id: ODD_ADMINISTRATION,
    claim: false,
    claim_response_codes: [],
    product_identifier: what,
    amount: '100.00',
    created_at: '2025-05-01T12:00:00Z',
    updated_at: '2025-06-01T12:00:00Z',
    ...oddity,
  }));
}

export function createOddTasks(firstId: number): Task[] {
  return TASKS.map(([what, oddity], index) => ({
    id: String(firstId + index * 3),
    administration_id: ODD_ADMINISTRATION,
    created_at: '2025-05-01T12:00:00Z',
    updated_at: '2025-06-01T12:00:00Z',
    subject: what,
    comments: [],
    ...oddity,
  }));
}

export function createOddMessages(firstId: number): Message[] {
  return [true, false].map((read, index) => ({
    id: String(firstId + index * 3),
    administration_id: ODD_ADMINISTRATION,
    read,
  }));
}

/** Of a debtor with an odd name, of one whose number another has too, and of one that does not exist. */
export function createOddCases(
  firstId: number,
  debtors: readonly Debtor[],
  deleted_at: string,
): DeletedCreditCase[] {
  const named = debtors.find(({ name }) => name.startsWith('東京'));
  const double = debtors.find(({ debtor_number }) => debtor_number === 'TWICE');
  return [named?.id, double?.id, 'no debtor/1'].map((debtor_id = '1', index) => ({
    id: String(firstId + index * 3),
    administration_id: ODD_ADMINISTRATION,
    debtor_id,
    deleted_at,
  }));
}

export function createOddPayments(firstId: number, deleted_at: string): DeletedPayment[] {
  const oddities: Partial<DeletedPayment>[] = [
    {},
    { origin_identifier: null, invoice_id: null },
    { origin_identifier: 'BANK&1/ë+2 "3"', invoice_id: '' },
  ];
  return oddities.map((oddity, index) => ({
    id: String(firstId + index * 3),
    administration_id: ODD_ADMINISTRATION,
    ...oddity,
    deleted_at,
  }));
}
