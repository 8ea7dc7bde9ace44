import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { casesOf } from '../support/search.ts';
import { exportText, linesIn, manyDebtors } from './support.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a spreadsheet may skip before a formula.
const SKIPPED = /^[\0-\x08\x0b\x0c\x0e-\x20"]*(?=[=+\-@])/;

const ROWS = 20;
const gateway = await useGateway({ rest: { data: manyDebtors(ROWS) } });
const { rest } = gateway;

const QUERY = `{ debtors(administrationId: "${ADMINISTRATION}") { nodes {
  internalId name remark amount: bookOpenAmount labels { name } postalAddress { city street1 }
  paymentBehaviour peppolEnabled pausedAt } } }`;

const piece = fc.constantFrom(
  ...['"', '""', ',', ';', '\t', '\n', '\r', '\r\n', '=', '+', '-', '@', "'", ' ', '; ', 'x', '0'],
  ...['é', 'Ã©', 'Łódź', '漢', '😀', '\u2028', '\ufeff', '\u0000', '\u00a0'],
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const row = fc.record({
  name: text,
  remark: fc.option(text),
  book_open_amount: fc.option(fc.constantFrom('0.00', '-12.50', '1e3', '1000000000000000000.01', '+5')),
  labels: fc.option(fc.array(fc.record({ name: text }), { maxLength: 3 })),
  postal_address: fc.record({ city: text, street_1: fc.option(text) }),
  payment_behaviour: fc.option(fc.integer({ min: -1000, max: 1000 })),
  peppol_enabled: fc.option(fc.boolean()),
  paused_at: fc.option(fc.constantFrom('2024-05-01T00:00:00+02:00', '2024-05-01T00:00:00.123456Z')),
});

interface Node {
  readonly internalId: string;
  readonly name: string;
  readonly remark: string | null;
  readonly amount: string | null;
  readonly labels: readonly { readonly name: string }[] | null;
  readonly postalAddress: { readonly city: string; readonly street1: string | null };
  readonly paymentBehaviour: number | null;
  readonly peppolEnabled: boolean | null;
  readonly pausedAt: string | null;
}

/** What a reader of CSV finds of the JSON answer. */
function cellsOf(node: Node, guards: boolean): string[] {
  const guarded = (value: string | null) => {
    const pieces = (value ?? '').split(/([,;\t\r\n])/);
    const safe = pieces.map((each) => (guards ? each.replace(SKIPPED, "$&'") : each)).join('');
    return guards && /^[\t\r]/.test(safe) && !SKIPPED.test(safe.slice(1)) ? `'${safe}` : safe;
  };
  const plain = (value: unknown) => (value === null ? '' : String(value));
  return [
    guarded(node.internalId),
    guarded(node.name),
    guarded(node.remark),
    plain(node.amount),
    guarded(node.labels?.map(({ name }) => name).join('; ') ?? null),
    guarded(node.postalAddress.city),
    guarded(node.postalAddress.street1),
    plain(node.paymentBehaviour),
    plain(node.peppolEnabled),
    plain(node.pausedAt),
  ];
}

test('CSV and NDJSON hold what JSON does, whatever the texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: ROWS, maxLength: ROWS }),
      fc.constantFrom(',', ';', 'tab'),
      fc.boolean(),
      fc.boolean(),
      async (rows, separator, guards, bom) => {
        for (const [index, values] of rows.entries()) Object.assign(rest.data.debtors[index] ?? {}, values);
        const { data } = await gateway.query(QUERY);
        const { nodes } = (data as { readonly debtors: { readonly nodes: readonly Node[] } }).debtors;
        const options = { separator, formulas: guards ? '0' : '1', bom: bom ? '1' : '0' };
        const csv = await exportText(gateway, 'csv', QUERY, { options });
        const delimiter = separator === 'tab' ? '\t' : separator;
        const read: string[][] = parse(csv, { delimiter, bom: true });
        expect(read.slice(1)).toEqual(nodes.map((node) => cellsOf(node, guards)));
        const lines = linesIn(await exportText(gateway, 'ndjson', QUERY));
        expect(lines).toEqual([...nodes, { end: true, rows: ROWS }]);
      },
    ),
    { numRuns: casesOf({ short: 5, long: 10 }) },
  );
});
