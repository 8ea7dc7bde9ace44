import type { DemoData, DemoService } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';
import type { SentRow } from './generate-rows.ts';
import type { ListSpec } from './lists.ts';
import { isObject } from './values.ts';

type Lists = {
  [Name in
    | 'debtors'
    | 'declarationLines'
    | 'deletedCreditCases'
    | 'deletedPayments'
    | 'companies']: DemoData[Name][number][];
};

const lists: Lists = {
  debtors: [],
  declarationLines: [],
  deletedCreditCases: [],
  deletedPayments: [],
  companies: [],
};

/** The lists of the embedded service, to be filled by each case. */
export const data: DemoData = {
  ...createData({ administrations: 2, debtors: 0, cases: 0, idLength: 1, sharing: 1 }),
  ...lists,
};

const FILL: Readonly<Record<string, (json: string) => void>> = {
  debtors: (json) => refill(lists.debtors, json),
  declarationLines: (json) => refill(lists.declarationLines, json),
  deletedCreditCases: (json) => refill(lists.deletedCreditCases, json),
  deletedPayments: (json) => refill(lists.deletedPayments, json),
  companies: (json) => refill(lists.companies, json),
};

function refill<T>(list: T[], json: string): void {
  list.splice(0, list.length, ...JSON.parse(json));
}

/** What the service itself needs of a record, and puts right again in its answer. */
const OWN_MEMBERS = ['id', 'administration_id', 'deleted_at'];

/**
 * Lets the service send these rows in their order, at most so many at once. It holds sound rows with the same values;
 * what is broken in a row is broken on its way out, so that the service can still filter and page.
 */
export function serveRows(
  rest: DemoService,
  { name }: ListSpec,
  rows: readonly SentRow[],
  perPage: number,
): void {
  const own = { administration_id: '1001', deleted_at: new Date().toISOString() };
  const sound = rows.map(({ key, row }) => ({ ...(isObject(row) ? row : {}), ...own, id: key }));
  FILL[name]?.(JSON.stringify(sound));
  const byKey = new Map(rows.map(({ key, row }) => [key, row]));
  rest.behave();
  rest.misbehave({
    kind: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    rewrite(body) {
      if (!isObject(body) || !Array.isArray(body.data)) return body;
      const page: readonly Readonly<Record<string, unknown>>[] = body.data.slice(0, perPage);
      const isCut = body.data.length > perPage;
      return {
        ...body,
        ...(isCut && { pagination: { cursor: page.at(-1)?.id } }),
        data: page.map((row) => asSent(row, byKey.get(String(row.id)))),
      };
    },
  });
}

function asSent(row: Readonly<Record<string, unknown>>, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, OWN_MEMBERS.includes(name) ? sent[name] : value]),
  );
}
