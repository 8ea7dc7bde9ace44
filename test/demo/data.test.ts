import { expect, it } from 'vitest';
import { generateData } from '../../src/demo/data/generate.ts';
import { ODD_ADMINISTRATION } from '../../src/demo/data/odd-records.ts';
import { claimStatuses, completedStatuses, type Debtor } from '../../src/demo/data/records.ts';
import { contradictions } from './contradictions.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const data = generateData(NOW);
const isOdd = ({ administration_id }: { administration_id: string }) =>
  administration_id === ODD_ADMINISTRATION;
const usual = data.debtors.filter((debtor) => !isOdd(debtor));

it('is the same at every start, but for the time of deletion', () => {
  const later = generateData(NOW + 1000);
  expect(later.tasks.at(-1)).toEqual(data.tasks.at(-1));
  expect(later.messages.at(-1)).toEqual(data.messages.at(-1));
  const { deleted_at, ...payment } = data.deletedPayments.at(-1) ?? expect.fail('no payments');
  expect(later.deletedPayments.at(-1)).toEqual({
    ...payment,
    deleted_at: new Date(Date.parse(deleted_at) + 1000).toISOString(),
  });
});

it('is the same on every machine', () => {
  const { id, name, updated_at } = usual.at(-1) ?? expect.fail('no debtors');
  expect({ id, name, updated_at }).toEqual({
    id: '310798',
    name: 'Tischlerei Hoffmann OHG',
    updated_at: '2025-04-01T21:50:56.753Z',
  });
});

it('gives every record an id of its own, in order', () => {
  const lists = [
    data.debtors,
    data.tasks,
    data.messages,
    data.declarationLines,
    data.deletedCreditCases,
    data.deletedPayments,
  ];
  const ids = lists.flatMap((list) => list.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it('has thousands of debtors in each company, most of them in the first administration', () => {
  const sizes = data.administrations.map(({ id }) => [
    id,
    data.debtors.filter((debtor) => debtor.administration_id === id).length,
  ]);
  expect(Object.fromEntries(sizes)).toEqual({ 1001: 2369, 1002: 935, 1003: expect.any(Number), 2001: 296 });
});

it('can be believed: what is said of a record goes together', () => {
  expect(contradictions.ofDebtors(usual)).toEqual([]);
  expect(contradictions.ofLines(data.declarationLines.filter((line) => !isOdd(line)))).toEqual([]);
  expect(contradictions.ofTasks(data.tasks.filter((task) => !isOdd(task)))).toEqual([]);
});

/** Each rule of what can be believed finds a record that breaks it. */
it.each<[what: string, changes: Partial<Debtor>]>([
  ['an amount beyond what is owed in a practice', { book_open_amount: '9007199254740993.01' }],
  ['more credit to the debtor than a mistake', { book_open_amount: '-5000.00' }],
  ['a negative limit', { credit_limit_amount: '-1.00' }],
  ['a text that is odd', { remark: 'Rechnung\n東京' }],
  ['an identifier that needs care in a URL', { debtor_identifier: 'K&L' }],
  [
    'collected or paid by instalments, but nothing open',
    { labels: [{ name: 'Incasso' }], book_open_amount: '0.00' },
  ],
  ['collected, but paying in time', { labels: [{ name: 'Incasso' }], payment_behaviour: -5 }],
  ['paused, but nothing open', { paused_at: '2020-01-01T00:00:00Z', book_open_amount: '0.00' }],
  ['paused after the last update', { paused_at: '2025-06-30T12:00:00Z', updated_at: '2025-01-01T00:00:00Z' }],
  ['a person with numbers of a company', { coc_number: null, vat_number: 'NL800000000B01' }],
  ['a person who is a company by name or label', { coc_number: null, name: 'Bakker B.V.' }],
  ['a company under guardianship', { coc_number: '1', labels: [{ name: 'Bewindvoering' }] }],
  ['numbers of another country', { call_phone_number: '+49 30 1' }],
  ['a bank account with wrong check digits', { bank_account_number: 'NL00DEMO0000000000' }],
  ['an account of somebody else', { bank_account_name: 'Somebody Else' }],
])('would not be believed with %s', (what, changes) => {
  const debtor =
    usual.find(({ administration_id }) => administration_id === '1001') ?? expect.fail('no debtor');
  expect(contradictions.ofDebtors([{ ...debtor, ...changes }])).toContain(`${debtor.id}: ${what}`);
});

it('has amounts as in real life: many small ones, few large ones, and some who owe nothing', () => {
  for (const administration of ['1001', '1002', '2001']) {
    const amounts = usual.flatMap(({ administration_id, book_open_amount }) =>
      administration_id === administration ? [Number(book_open_amount)] : [],
    );
    const owing = amounts.filter((amount) => amount > 0).sort((one, other) => one - other);
    const part = (count: number) => count / amounts.length;
    expect(part(amounts.filter((amount) => amount === 0).length)).toBeGreaterThan(0.15);
    expect(part(owing.length)).toBeGreaterThan(0.5);
    const sum = owing.reduce((one, other) => one + other, 0);
    expect(owing[Math.floor(owing.length / 2)]).toBeLessThan(sum / owing.length / 3);
  }
  expect(usual.some(({ book_open_amount }) => Number(book_open_amount) < 0)).toBe(true);
});

it('has names of which few are the same', () => {
  expect(new Set(usual.map(({ name }) => name)).size).toBeGreaterThan(usual.length * 0.6);
});

it('keeps what is odd to the administration that says so', () => {
  const odd = data.debtors.filter(isOdd);
  expect(data.administrations.find(({ id }) => id === ODD_ADMINISTRATION)).toEqual({
    id: '1003',
    name: 'Odd cases (for testing clients)',
    company_id: '101',
  });
  const faults = new Set(contradictions.ofDebtors(odd).map((text) => text.replace(/^\d+: /, '')));
  expect(faults).toContain('an amount beyond what is owed in a practice');
  expect(faults).toContain('a text that is odd');
  expect(faults).toContain('an identifier that needs care in a URL');
  expect(odd.some(({ book_open_amount }) => book_open_amount?.replace(/\D/g, '').length === 30)).toBe(true);
  expect(Math.max(...odd.map(({ remark }) => remark?.length ?? 0))).toBeGreaterThan(5000);
  for (const script of [
    /\p{Script=Han}/u,
    /\p{Script=Arabic}/u,
    /\p{Script=Hebrew}/u,
    /\p{Emoji}\u200d/u,
    /\n/,
    /"/,
  ]) {
    expect(odd.some(({ name, remark }) => script.test(`${name}${remark}`))).toBe(true);
  }
});

it('names each odd case by what is odd, or says it in the remark', () => {
  const told = data.debtors
    .filter(isOdd)
    .map(({ name, remark }) => [remark, name].find((text) => /^[A-Z0-9][\w ,]+$/.test(text ?? '')));
  expect(told).not.toContain(undefined);
  expect(new Set(told).size).toBe(told.length);
});

it('leaves values null, and leaves them out', () => {
  const remarks = data.debtors.map((debtor) => debtor.remark);
  expect(remarks).toContain(null);
  expect(remarks).toContain(undefined);
  expect(data.debtors.some((debtor) => debtor.labels?.length === 0)).toBe(true);
  expect(data.debtors.some((debtor) => (debtor.labels?.length ?? 0) > 1)).toBe(true);
});

it('shows monitored credit limits only where monitoring is enabled', () => {
  const monitored = (name: 'autogenerated_credit_limit_amount' | 'external_credit_limit_amount') =>
    new Set(usual.filter((debtor) => debtor[name]).map((debtor) => debtor.administration_id));
  expect(monitored('autogenerated_credit_limit_amount')).toEqual(new Set(['1001']));
  expect(monitored('external_credit_limit_amount')).toEqual(new Set(['1001', '1002']));
});

it('uses every state', () => {
  expect(new Set(data.tasks.map((task) => task.completed_status))).toEqual(
    new Set([...completedStatuses, null, undefined]),
  );
  expect(new Set(data.declarationLines.map((line) => line.claim_status))).toEqual(
    new Set([...claimStatuses, null, undefined]),
  );
});

it('has deleted credit cases whose debtor is gone', () => {
  const debtorIds = new Set(data.debtors.map(({ id }) => id));
  const gone = data.deletedCreditCases.filter(({ debtor_id }) => !debtorIds.has(debtor_id));
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.length).toBeLessThan(data.deletedCreditCases.length / 2);
});

it('was never updated before it was created', () => {
  const impossible = [...data.tasks, ...data.declarationLines].filter(
    ({ created_at, updated_at }) => Date.parse(updated_at) < Date.parse(created_at),
  );
  expect(impossible).toEqual([]);
});
