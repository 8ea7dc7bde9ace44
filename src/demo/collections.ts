import type { Permission } from './applications.ts';
import type { DemoData } from './data/generate.ts';
import {
  claimStatuses,
  type Debtor,
  type DeclarationLine,
  type DeletedCreditCase,
  type DeletedPayment,
} from './data/records.ts';
import { type Filter, isAfter, isBefore, isExactly, isOneOf } from './parameters.ts';
import {
  debtorShape,
  declarationLineShape,
  deletedCreditCaseShape,
  deletedPaymentShape,
  type RecordShape,
} from './shapes.ts';
import type { RenameableList } from './world.ts';

const RETENTION = 90 * 86_400_000;

/** A list endpoint of one administration's records, as plain data. */
export interface Collection<R> {
  readonly path: string;
  readonly scope: Permission;
  readonly shape: RecordShape;
  readonly takesFields: boolean;
  readonly filters: Readonly<Record<string, Filter<R>>>;
  /** Set if the description does not specify the parameter names. */
  readonly renameable?: RenameableList;
  readonly records: (data: DemoData, now: number) => readonly R[];
}

export const debtors: Collection<Debtor> = {
  path: '/v1/debtors',
  scope: 'debtors:read',
  shape: debtorShape,
  takesFields: true,
  filters: {
    ids: isOneOf((debtor) => debtor.id),
    debtor_numbers: isOneOf((debtor) => debtor.debtor_number),
    debtor_identifiers: isOneOf((debtor) => debtor.debtor_identifier),
    updated_after: isAfter((debtor) => debtor.updated_at),
  },
  records: (data) => data.debtors,
};

export const declarationLines: Collection<DeclarationLine> = {
  path: '/v1/health_care/declaration_lines',
  scope: 'health_care:read',
  shape: declarationLineShape,
  takesFields: true,
  filters: {
    ids: isOneOf((line) => line.id),
    order_line_identifiers: isOneOf((line) => line.order_line_identifier),
    invoice_identifiers: isOneOf((line) => line.invoice_identifier),
    claim_status: isExactly(claimStatuses, (line) => line.claim_status),
    created_after: isAfter((line) => line.created_at),
    created_before: isBefore((line) => line.created_at),
    updated_after: isAfter((line) => line.updated_at),
  },
  renameable: 'declarationLines',
  records: (data) => data.declarationLines,
};

const deletionFilters = {
  deleted_after: isAfter((record: { deleted_at: string }) => record.deleted_at),
  deleted_before: isBefore((record: { deleted_at: string }) => record.deleted_at),
};

export const deletedCreditCases: Collection<DeletedCreditCase> = {
  path: '/v1/credit_cases/deleted',
  scope: 'credit_cases:read',
  shape: deletedCreditCaseShape,
  takesFields: false,
  filters: deletionFilters,
  renameable: 'deletedCreditCases',
  records: (data, now) => data.deletedCreditCases.filter(isRetained(now)),
};

export const deletedPayments: Collection<DeletedPayment> = {
  path: '/v1/payments/deleted',
  scope: 'payments:read',
  shape: deletedPaymentShape,
  takesFields: false,
  filters: deletionFilters,
  renameable: 'deletedPayments',
  records: (data, now) => data.deletedPayments.filter(isRetained(now)),
};

function isRetained(now: number): (record: { deleted_at: string }) => boolean {
  return (record) => Date.parse(record.deleted_at) >= now - RETENTION;
}
