import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMINISTRATION, type BriefCall, useGateway } from '../support/gateway.ts';
import { casesOf } from '../support/search.ts';
import { debtor, freshCallers, page } from './support.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const newCaller = await freshCallers(gateway, 80);
const ids = gateway.rest.data.debtors
  .filter(({ administration_id }) => administration_id === ADMINISTRATION)
  .map(({ id }) => id);

/** GraphQL fields, and what REST calls them. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  remark: 'remark',
  vatNumber: 'vat_number',
  'labels { name }': 'labels.name',
  'postalAddress { city }': 'postal_address.city',
  'postalAddress { region }': 'postal_address.region',
};
const READS = ['id', 'administration_id'];

function namesIn(only: unknown, prefix = ''): string[] {
  if (!Array.isArray(only)) return [];
  return only.flatMap((item) =>
    typeof item === 'string'
      ? [prefix + item]
      : Object.entries(Object(item)).flatMap(([name, members]) => namesIn(members, `${prefix}${name}.`)),
  );
}

const selection = fc.uniqueArray(fc.constantFrom(...Object.keys(FIELDS)), { minLength: 1, maxLength: 3 });
const read = fc.record({
  fields: selection,
  rows: fc.constantFrom(1, 2, 5, 500, 501, 700),
  /** A lookup of so many records; else a list. */
  lookups: fc.option(fc.integer({ min: 1, max: 3 })),
});

function documentOf({ fields, rows, lookups }: { fields: string[]; rows: number; lookups: number | null }) {
  if (lookups === null) return page(fields.join(' '), `first: ${rows}`);
  const records = ids.slice(0, lookups).map((id, index) => `r${index}: ${debtor(id, fields.join(' '))}`);
  return `{ ${records.join(' ')} }`;
}

test('a call requests no more rows and fields than its operation needs after any earlier reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(read, { minLength: 6, maxLength: 6 }), async (reads) => {
      const caller = newCaller();
      for (const current of reads) {
        gateway.rest.calls.length = 0;
        const { errors } = await gateway.query(documentOf(current), {}, caller);
        expect(errors).toBeUndefined();
        const rows = current.lookups ?? current.rows;
        const calls: BriefCall[] = gateway.calls();
        expect(calls.reduce((sum, { per_page }) => sum + Number(per_page), 0)).toBeLessThanOrEqual(rows);
        const selected = [...READS, ...current.fields.map((field) => FIELDS[field])];
        for (const { only } of calls) expect(selected).toEqual(expect.arrayContaining(namesIn(only)));
      }
    }),
    { numRuns: casesOf({ short: 5, long: 15 }) },
  );
});
