import type { DemoData } from '../../src/demo/service.ts';
import { ADMINISTRATION } from '../support/gateway.ts';
import type { List, Write } from './history.ts';

/** What the four lists have in common for a test: how a record is written and read, and which events tell it. */
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
  declarationLines: {
    path: '/v1/health_care/declaration_lines',
    kind: 'DECLARATION_LINE_CHANGED',
    event: 'DeclarationLineChanged',
    field: 'declarationLine',
    value: 'productIdentifier',
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
  deletedPayments: {
    path: '/v1/payments/deleted',
    kind: 'PAYMENT_DELETED',
    event: 'PaymentDeleted',
    field: 'deletedPayment',
    value: 'originIdentifier',
    stamp: 'deletedAt',
  },
};

/** The data of an embedded service for one administration. */
export function emptyData(): DemoData {
  return {
    companies: [{ id: '101', name: 'Zorggroep Noord B.V.', status: 'active', trial: false }],
    administrations: [{ id: ADMINISTRATION, name: 'Facturatie', company_id: '101' }],
    debtors: [],
    declarationLines: [],
    deletedCreditCases: [],
    deletedPayments: [],
    tasks: [],
    messages: [],
  };
}

/** A stamp of a history that began at a moment, as the service sends it. */
export function stampText(stamp: number, began: number): string {
  return new Date(began + stamp).toISOString().replace('.000Z', 'Z');
}

/** Makes a write visible. */
export function apply(data: DemoData, { list, id, value, stamp }: Write, began: number): void {
  const moment = stampText(stamp, began);
  if (list === 'debtors')
    put(data.debtors, id, value === undefined ? undefined : debtorOf(id, value, moment));
  else WRITE[list](data, { id, administration_id: ADMINISTRATION }, value ?? '', moment);
}

type Common = { readonly id: string; readonly administration_id: string };

const WRITE = {
  declarationLines: (data: DemoData, common: Common, product_identifier: string, updated_at: string) =>
    put(data.declarationLines, common.id, {
      ...common,
      claim: true,
      product_identifier,
      created_at: updated_at,
      updated_at,
    }),
  deletedCreditCases: (data: DemoData, common: Common, debtor_id: string, deleted_at: string) =>
    put(data.deletedCreditCases, common.id, { ...common, debtor_id, deleted_at }),
  deletedPayments: (data: DemoData, common: Common, origin_identifier: string, deleted_at: string) =>
    put(data.deletedPayments, common.id, { ...common, origin_identifier, deleted_at }),
};

function debtorOf(id: string, name: string, updated_at: string): DemoData['debtors'][number] {
  return {
    id,
    administration_id: ADMINISTRATION,
    debtor_number: `D${id}`,
    debtor_identifier: `E${id}`,
    name,
    postal_address: { city: 'Groningen', country_code: 'NL' },
    updated_at,
  };
}

/** Replaces, adds or removes a record of a list that is ordered by id. */
function put<R extends { readonly id: string }>(records: R[], id: string, record: R | undefined): void {
  const place = records.findIndex((other) => other.id >= id);
  const index = place < 0 ? records.length : place;
  const isThere = records[index]?.id === id;
  records.splice(index, isThere ? 1 : 0, ...(record ? [record] : []));
}
