import type { DemoData } from '../support/rest-service.mjs';
import { LISTS, type List, type Write } from './history.ts';

interface Shape {
  readonly path: string;
  readonly kind: string;
  /** The type of its events, and the field that holds the record. */
  readonly event: string;
  readonly field: string;
  /** The field that holds the value, and the one that holds the stamp. */
  readonly value: string;
  readonly stamp: string;
}

export const SHAPES: Readonly<Record<List, Shape>> = {
  debtors: {
    path: '/v1/debtors',
    kind: 'DEBTOR_CHANGED',
    event: 'DebtorChanged',
    field: 'debtor',
    value: 'name',
    stamp: 'updatedAt',
  },
  deletedCreditCases: {
    path: '/v1/credit_cases/deleted',
    kind: 'CREDIT_CASE_DELETED',
    event: 'CreditCaseDeleted',
    field: 'deletedCreditCase',
    value: 'debtorId',
    stamp: 'deletedAt',
  },
};

/** Where the writes of a history are seen: an administration, and when the history began. */
export interface Books {
  readonly data: DemoData;
  readonly administrationId: string;
  readonly began: number;
}

export function recordsOf({ data, administrationId }: Books, list: List) {
  const own = data[list].filter((record) => record.administration_id === administrationId);
  return own.map((record) => ({
    id: record.id,
    value: 'name' in record ? record.name : record.debtor_id,
    stamp: 'deleted_at' in record ? record.deleted_at : record.updated_at,
  }));
}

export function apply({ data, administrationId, began }: Books, { list, id, value, stamp }: Write): void {
  const common = { id: `${administrationId}-${id}`, administration_id: administrationId };
  const moment = new Date(began + stamp).toISOString().replace('.000Z', 'Z');
  if (value === undefined) remove(data[list], common.id);
  else WRITE[list](data, common, value, moment);
}

type Common = { readonly id: string; readonly administration_id: string };

const WRITE = {
  debtors: (data: DemoData, common: Common, name: string, updated_at: string) =>
    put(data.debtors, {
      ...common,
      debtor_number: `D${common.id}`,
      debtor_identifier: `E${common.id}`,
      name,
      postal_address: { city: 'Groningen', country_code: 'NL' },
      updated_at,
    }),
  deletedCreditCases: (data: DemoData, common: Common, debtor_id: string, deleted_at: string) =>
    put(data.deletedCreditCases, { ...common, debtor_id, deleted_at }),
};

export function clear({ data, administrationId }: Books): void {
  for (const list of LISTS) {
    const own = data[list].filter((record) => record.administration_id === administrationId);
    for (const { id } of own) remove(data[list], id);
  }
}

/** Replaces or adds a record of a list that is ordered by id. */
function put<R extends { readonly id: string }>(records: R[], record: R): void {
  const place = records.findIndex(({ id }) => id >= record.id);
  const index = place < 0 ? records.length : place;
  records.splice(index, records[index]?.id === record.id ? 1 : 0, record);
}

function remove(records: { readonly id: string }[], id: string): void {
  const index = records.findIndex((record) => record.id === id);
  if (index >= 0) records.splice(index, 1);
}
