import { expect, it } from 'vitest';
import { EDGE_CASE_ADMINISTRATION } from '../../src/demo/data/edge-cases.ts';
import { generateData } from '../../src/demo/data/generate.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const data = generateData(NOW);
const isOdd = ({ administration_id }: { administration_id: string }) =>
  administration_id === EDGE_CASE_ADMINISTRATION;
const usual = data.debtors.filter((debtor) => !isOdd(debtor));

it('embedded data is the same at every start and on every machine, except the time of deletion', () => {
  const { id, name, updated_at } = usual.at(-1) ?? expect.fail('no debtors');
  expect({ id, name, updated_at }).toEqual({
    id: '310798',
    name: 'Tischlerei Hoffmann OHG',
    updated_at: '2025-04-01T21:50:56.753Z',
  });
  const later = generateData(NOW + 1000);
  expect(later.tasks.at(-1)).toEqual(data.tasks.at(-1));
  const { deleted_at, ...payment } = data.deletedPayments.at(-1) ?? expect.fail('no payments');
  const then = new Date(Date.parse(deleted_at) + 1000).toISOString();
  expect(later.deletedPayments.at(-1)).toEqual({ ...payment, deleted_at: then });
});

it('embedded data gives every record its own id, in ascending order', () => {
  const { debtors, tasks, messages, declarationLines, deletedCreditCases, deletedPayments } = data;
  const lists = [debtors, tasks, messages, declarationLines, deletedCreditCases, deletedPayments];
  const ids = lists.flatMap((list) => list.map(({ id }) => id));
  expect([...new Set(ids)].toSorted()).toEqual(ids);
  const sizes = data.administrations.map(({ id: administration }) => [
    administration,
    debtors.filter(({ administration_id }) => administration_id === administration).length,
  ]);
  expect(Object.fromEntries(sizes)).toEqual({ 1001: 2369, 1002: 935, 1003: expect.any(Number), 2001: 296 });
});

it('embedded data has edge cases only in their own administration, each with its own name', () => {
  const odd = data.debtors.filter(isOdd);
  const isPlain = /^[\p{Script=Latin}\d ,.;:&'@+/-]*$/u;
  const amounts = /^-?\d{1,6}\.\d\d$/;
  expect(usual.filter(({ name, remark }) => !isPlain.test(`${name}${remark ?? ''}`))).toEqual([]);
  expect(usual.filter(({ book_open_amount }) => !amounts.test(book_open_amount ?? '0.00'))).toEqual([]);
  expect(odd.some(({ book_open_amount }) => book_open_amount?.replace(/\D/g, '').length === 30)).toBe(true);
  for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Emoji}\u200d/u, /\n/, /"/])
    expect(odd.some(({ name, remark }) => script.test(`${name}${remark}`))).toBe(true);
  const names = odd.map(({ name, remark }) =>
    [remark, name].find((text) => /^[A-Z0-9][\w ,]+$/.test(text ?? '')),
  );
  expect(new Set(names).size).toBe(names.length);
});
