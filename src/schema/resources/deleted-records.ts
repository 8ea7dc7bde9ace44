import { assumed, defineResource } from '../../rest/resource.ts';
import { builder, recordRef, UNEXPLAINED } from '../fields/builder.ts';
import { exposeList } from '../fields/connection.ts';
import { globalId, INTERNAL_ID } from '../fields/node.ts';
import { exposeChanges } from './change.ts';
import { debtorJoin } from './debtor.ts';

/** The filters of all lists of deleted records. */
const DELETED_FILTERS = {
  administrationId: assumed('administration_id'),
  deletedAfter: assumed('deleted_after'),
  deletedBefore: assumed('deleted_before'),
};

const deletedArguments = builder.args((t) => ({
  deletedAfter: t.field({ type: 'DateTime', description: 'Only those deleted after this moment.' }),
  deletedBefore: t.field({ type: 'DateTime', description: 'Only those deleted before this moment.' }),
}));

const DELETED_AT = { type: 'DateTime', description: 'When it was deleted.' } as const;

/** How deletions are found. */
const DELETION = {
  filter: 'deletedAfter',
  stamp: 'deleted_at',
  retentionMs: 90 * 86_400_000,
} as const;

interface DeletedCreditCaseRow {
  readonly id: string;
  readonly administration_id: string;
  readonly debtor_id?: string | null;
  readonly deleted_at?: string | null;
}

const deletedCreditCases = defineResource<DeletedCreditCaseRow>({
  name: 'deletedCreditCases',
  type: 'DeletedCreditCase',
  path: '/v1/credit_cases/deleted',
  credential: 'bearer',
  takesFields: false,
  requiredFields: ['id', 'administration_id'],
  filters: DELETED_FILTERS,
});

const DeletedCreditCase = recordRef<DeletedCreditCaseRow>('DeletedCreditCase').implement({
  description: 'A credit case that was deleted in the last 90 days.',
  fields: (t) => ({
    id: t.id(globalId('DeletedCreditCase')),
    internalId: t.exposeID('id', INTERNAL_ID),
    administrationId: t.exposeID('administration_id', {
      nullable: false,
      description: 'Internal id of the administration it belonged to.',
    }),
    debtorId: t.exposeID('debtor_id', { description: 'Internal id of its debtor.' }),
    debtor: t.field(debtorJoin('Its debtor, or null if it no longer exists either.')),
    deletedAt: t.expose('deleted_at', DELETED_AT),
  }),
});

exposeList(deletedCreditCases, DeletedCreditCase, {
  description:
    'The credit cases of an administration that were deleted in the last 90 days. Needs a Bearer token.',
  filters: deletedArguments,
});

exposeChanges(deletedCreditCases, DeletedCreditCase, {
  kind: 'CREDIT_CASE_DELETED',
  ...DELETION,
  event: 'CreditCaseDeleted',
  field: 'deletedCreditCase',
  description: 'A credit case was deleted.',
});

interface DeletedPaymentRow {
  readonly id: string;
  readonly administration_id: string;
  readonly origin_identifier?: string | null;
  readonly invoice_id?: string | null;
  readonly deleted_at?: string | null;
}

const deletedPayments = defineResource<DeletedPaymentRow>({
  name: 'deletedPayments',
  type: 'DeletedPayment',
  path: '/v1/payments/deleted',
  credential: 'bearer',
  takesFields: false,
  requiredFields: ['id', 'administration_id'],
  filters: DELETED_FILTERS,
});

const DeletedPayment = recordRef<DeletedPaymentRow>('DeletedPayment').implement({
  description: 'A payment that was deleted in the last 90 days.',
  fields: (t) => ({
    id: t.id(globalId('DeletedPayment')),
    internalId: t.exposeID('id', INTERNAL_ID),
    administrationId: t.exposeID('administration_id', {
      nullable: false,
      description: 'Internal id of the administration it belonged to.',
    }),
    originIdentifier: t.exposeString('origin_identifier', {
      description: `Origin identifier. ${UNEXPLAINED}`,
    }),
    invoiceId: t.exposeID('invoice_id', { description: 'Internal id of its invoice.' }),
    deletedAt: t.expose('deleted_at', DELETED_AT),
  }),
});

exposeList(deletedPayments, DeletedPayment, {
  description:
    'The payments of an administration that were deleted in the last 90 days. Needs a Bearer token.',
  filters: deletedArguments,
});

exposeChanges(deletedPayments, DeletedPayment, {
  kind: 'PAYMENT_DELETED',
  ...DELETION,
  event: 'PaymentDeleted',
  field: 'deletedPayment',
  description: 'A payment was deleted.',
});
