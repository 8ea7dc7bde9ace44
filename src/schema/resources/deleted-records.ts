import type { ChangeSource } from '../../changes/change.ts';
import { assumed, defineResource } from '../../rest/resource.ts';
import { id, moment, text } from '../../rest/values.ts';
import { UNEXPLAINED } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { recordIds } from '../fields/node.ts';
import { membersOf, type RecordRef, type RecordTable, recordType } from '../fields/record-type.ts';
import { debtorJoin } from './debtor.ts';

const administrationId = id.required('Internal id of the administration it belonged to.');
const deletedAt = moment.optional('When it was deleted.');

const deletedCreditCase = {
  ...recordIds('DeletedCreditCase'),
  administrationId,
  debtorId: id.optional('Internal id of its debtor.'),
  debtor: debtorJoin('Its debtor, or null if it no longer exists either.'),
  deletedAt,
};

const deletedPayment = {
  ...recordIds('DeletedPayment'),
  administrationId,
  originIdentifier: text.optional(`Origin identifier. ${UNEXPLAINED}`),
  invoiceId: id.optional('Internal id of its invoice.'),
  deletedAt,
};

/** Adds the list of the records of a kind that were deleted, and the events of their deletion. */
function exposeDeleted(
  table: RecordTable,
  type: RecordRef,
  options: {
    /** In a sentence. */
    readonly what: string;
    readonly path: string;
    readonly list: string;
    readonly field: string;
    readonly event: string;
    readonly kind: ChangeSource['kind'];
  },
): void {
  const { what, path, list, field, event, kind } = options;
  const resource = defineResource({
    name: list,
    type: type.name,
    path,
    credential: 'bearer',
    takesFields: false,
    members: membersOf(table),
    filters: {
      administrationId: assumed('administration_id'),
      deletedAfter: assumed('deleted_after', moment.optional('Only those deleted after this moment.')),
      deletedBefore: assumed('deleted_before', moment.optional('Only those deleted before this moment.')),
    },
  });
  exposeList(
    resource,
    type,
    `The ${what}s of an administration that were deleted in the last 90 days. Needs a Bearer token.`,
  );
  exposeChanges(resource, type, {
    kind,
    filter: 'deletedAfter',
    stamp: 'deletedAt',
    retentionMs: 90 * 86_400_000,
    event,
    field,
    description: `A ${what} was deleted.`,
  });
}

const DeletedCreditCase = recordType('DeletedCreditCase', deletedCreditCase, {
  description: 'A credit case that was deleted in the last 90 days.',
});

exposeDeleted(deletedCreditCase, DeletedCreditCase, {
  what: 'credit case',
  path: '/v1/credit_cases/deleted',
  list: 'deletedCreditCases',
  field: 'deletedCreditCase',
  event: 'CreditCaseDeleted',
  kind: 'CREDIT_CASE_DELETED',
});

const DeletedPayment = recordType('DeletedPayment', deletedPayment, {
  description: 'A payment that was deleted in the last 90 days.',
});

exposeDeleted(deletedPayment, DeletedPayment, {
  what: 'payment',
  path: '/v1/payments/deleted',
  list: 'deletedPayments',
  field: 'deletedPayment',
  event: 'PaymentDeleted',
  kind: 'PAYMENT_DELETED',
});
