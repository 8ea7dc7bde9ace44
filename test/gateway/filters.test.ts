import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { idsOf } from '../support/rest-records.ts';

const NOW = Date.UTC(2025, 6, 1);
const DAY = 86_400_000;
const gateway = await useGateway({ rest: { now: () => NOW } });

interface Owned {
  readonly id: string;
  readonly administration_id: string;
}

const own = <R extends Owned>(records: readonly R[]) =>
  records.filter((record) => record.administration_id === ADMINISTRATION);
const debtors = own(gateway.rest.data.debtors);
const lines = own(gateway.rest.data.declarationLines);
const isRetained = (record: { deleted_at: string }) => Date.parse(record.deleted_at) >= NOW - 90 * DAY;
const cases = own(gateway.rest.data.deletedCreditCases).filter(isRetained);
const payments = own(gateway.rest.data.deletedPayments).filter(isRetained);

const PATHS = {
  debtors: '/v1/debtors',
  declarationLines: '/v1/health_care/declaration_lines',
  deletedCreditCases: '/v1/credit_cases/deleted',
  deletedPayments: '/v1/payments/deleted',
};
type List = keyof typeof PATHS;

const MOMENT = '2025-01-01T00:00:00Z';
const isAfter = (text: string, limit = MOMENT) => Date.parse(text) > Date.parse(limit);
const RECENT = new Date(NOW - 30 * DAY).toISOString();
const someDebtors = [debtors[2], debtors[5], debtors[9]].map(present);
const someLines = lines.filter((line) => line.order_line_identifier).slice(3, 6);
const invoice = present(lines.find((line) => line.invoice_identifier)?.invoice_identifier);

const quoted = (values: readonly unknown[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;

/** Each filter as it is written in GraphQL, as it must reach REST, and the rows it must give. */
const FILTERS: [List, string, Record<string, string>, readonly Owned[]][] = [
  ['debtors', `ids: ${quoted(idsOf(someDebtors))}`, { ids: idsOf(someDebtors).join(',') }, someDebtors],
  [
    'debtors',
    `debtorNumbers: ${quoted(someDebtors.map((row) => row.debtor_number))}`,
    { debtor_numbers: someDebtors.map((row) => row.debtor_number).join(',') },
    someDebtors,
  ],
  [
    'debtors',
    `debtorIdentifiers: ${quoted(someDebtors.map((row) => row.debtor_identifier))}`,
    { debtor_identifiers: someDebtors.map((row) => row.debtor_identifier).join(',') },
    someDebtors,
  ],
  [
    'debtors',
    `updatedAfter: "${MOMENT}"`,
    { updated_after: MOMENT },
    debtors.filter((row) => isAfter(row.updated_at)),
  ],
  ['declarationLines', `ids: ${quoted(idsOf(someLines))}`, { ids: idsOf(someLines).join(',') }, someLines],
  [
    'declarationLines',
    `orderLineIdentifiers: ${quoted(someLines.map((row) => row.order_line_identifier))}`,
    { order_line_identifiers: someLines.map((row) => row.order_line_identifier).join(',') },
    someLines,
  ],
  [
    'declarationLines',
    `invoiceIdentifiers: ["${invoice}"]`,
    { invoice_identifiers: invoice },
    lines.filter((row) => row.invoice_identifier === invoice),
  ],
  ...['action_required', 'auto_resubmit', 'draft', 'failed', 'processed', 'submitted'].map(
    (status): [List, string, Record<string, string>, readonly Owned[]] => [
      'declarationLines',
      `claimStatus: ${status.toUpperCase()}`,
      { claim_status: status },
      lines.filter((row) => row.claim_status === status),
    ],
  ),
  [
    'declarationLines',
    `createdAfter: "${MOMENT}"`,
    { created_after: MOMENT },
    lines.filter((row) => isAfter(row.created_at)),
  ],
  [
    'declarationLines',
    `createdBefore: "${MOMENT}"`,
    { created_before: MOMENT },
    lines.filter((row) => !isAfter(row.created_at)),
  ],
  [
    'declarationLines',
    'updatedAfter: "2025-06-01T00:00:00Z"',
    { updated_after: '2025-06-01T00:00:00Z' },
    lines.filter((row) => isAfter(row.updated_at, '2025-06-01T00:00:00Z')),
  ],
  [
    'declarationLines',
    `claimStatus: DRAFT, createdBefore: "${MOMENT}"`,
    { claim_status: 'draft', created_before: MOMENT },
    lines.filter((row) => row.claim_status === 'draft' && !isAfter(row.created_at)),
  ],
  ...(
    [
      ['deletedCreditCases', cases],
      ['deletedPayments', payments],
    ] as const
  ).flatMap(([list, rows]): [List, string, Record<string, string>, readonly Owned[]][] => [
    [
      list,
      `deletedAfter: "${RECENT}"`,
      { deleted_after: RECENT },
      rows.filter((row) => isAfter(row.deleted_at, RECENT)),
    ],
    [
      list,
      `deletedBefore: "${RECENT}"`,
      { deleted_before: RECENT },
      rows.filter((row) => !isAfter(row.deleted_at, RECENT)),
    ],
  ]),
];

describe.each(FILTERS)('%s with %s', (list, filter, parameters, rows) => {
  const nodes = `first: 500) { nodes { internalId } }`;
  const expected = { nodes: rows.slice(0, 500).map(({ id }) => ({ internalId: id })) };
  const call = {
    call: `GET ${PATHS[list]}`,
    administration_id: ADMINISTRATION,
    per_page: '500',
    ...parameters,
  };
  const only = list.startsWith('deleted') ? {} : { only: ['id', 'administration_id'] };

  test('gives the rows that REST has for it', async () => {
    expect(rows.length).toBeGreaterThan(0);
    const { data } = await gateway.query(
      `{ ${list}(administrationId: "${ADMINISTRATION}", ${filter}, ${nodes} }`,
    );
    expect(data).toEqual({ [list]: expected });
    expect(gateway.calls()).toEqual([{ ...call, ...only }]);
  });

  test('gives the same below an administration', async () => {
    const { data } = await gateway.query(
      `{ administration(id: "${ADMINISTRATION}") { ${list}(${filter}, ${nodes} } }`,
    );
    expect(data).toEqual({ administration: { [list]: expected } });
    expect(gateway.calls()).toEqual([{ ...call, ...only }]);
  });
});

test('a filter that is null is no filter', async () => {
  const { errors } = await gateway.query(
    `query ($ids: [ID!], $after: DateTime) {
      debtors(administrationId: "${ADMINISTRATION}", ids: $ids, updatedAfter: $after, debtorNumbers: null, first: 1) { nodes { id } }
    }`,
    { ids: null },
  );
  expect(errors).toBeUndefined();
  expect(gateway.rest.calls[0]?.query).toEqual({
    administration_id: ADMINISTRATION,
    fields: '{"only":["id","administration_id"]}',
    per_page: '1',
  });
});
