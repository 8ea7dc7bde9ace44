import { assumed, defineResource } from '../../rest/resource.ts';
import { builder, UNEXPLAINED } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { recordType } from '../fields/record-type.ts';
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

/** How deletions are found. */
const DELETION = {
  filter: 'deletedAfter',
  stamp: 'deleted_at',
  retentionMs: 90 * 86_400_000,
} as const;

const deletedCreditCases = defineResource({
  name: 'deletedCreditCases',
  type: 'DeletedCreditCase',
  path: '/v1/credit_cases/deleted',
  credential: 'bearer',
  takesFields: false,
  requiredFields: ['id', 'administration_id'],
  filters: DELETED_FILTERS,
});

const DeletedCreditCase = recordType('DeletedCreditCase', {
  description: 'A credit case that was deleted in the last 90 days.',
  fields: (t) => ({
    ...t.ids('DeletedCreditCase'),
    administrationId: t.required.id('Internal id of the administration it belonged to.'),
    debtorId: t.id('Internal id of its debtor.'),
    debtor: debtorJoin('Its debtor, or null if it no longer exists either.'),
    deletedAt: t.moment('When it was deleted.'),
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

const deletedPayments = defineResource({
  name: 'deletedPayments',
  type: 'DeletedPayment',
  path: '/v1/payments/deleted',
  credential: 'bearer',
  takesFields: false,
  requiredFields: ['id', 'administration_id'],
  filters: DELETED_FILTERS,
});

const DeletedPayment = recordType('DeletedPayment', {
  description: 'A payment that was deleted in the last 90 days.',
  fields: (t) => ({
    ...t.ids('DeletedPayment'),
    administrationId: t.required.id('Internal id of the administration it belonged to.'),
    originIdentifier: t.text(`Origin identifier. ${UNEXPLAINED}`),
    invoiceId: t.id('Internal id of its invoice.'),
    deletedAt: t.moment('When it was deleted.'),
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
