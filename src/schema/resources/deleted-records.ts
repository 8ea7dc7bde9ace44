import type { ChangeSource } from '../../changes/change.ts';
import { assumed, defineResource } from '../../rest/resource.ts';
import { builder, UNEXPLAINED } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { type FieldKinds, recordType, type TypeFields } from '../fields/record-type.ts';
import { debtorJoin } from './debtor.ts';

/** Adds the list of the records of a kind that were deleted, and the events of their deletion. */
function exposeDeleted(options: {
  /** In a sentence. */
  readonly what: string;
  readonly path: string;
  readonly list: string;
  readonly field: string;
  readonly type: string;
  readonly event: string;
  readonly kind: ChangeSource['kind'];
  /** What `fields` are read from: the endpoint takes no `fields`, and whatever is not named is read by a call of its own. */
  readonly restFields: readonly string[];
  readonly fields: (t: FieldKinds) => TypeFields;
}): void {
  const { what, path, list, field, type: name, event, kind, restFields, fields } = options;
  const resource = defineResource({
    name: list,
    type: name,
    path,
    credential: 'bearer',
    takesFields: false,
    requiredFields: ['id', 'administration_id', 'deleted_at', ...restFields],
    filters: {
      administrationId: assumed('administration_id'),
      deletedAfter: assumed('deleted_after'),
      deletedBefore: assumed('deleted_before'),
    },
  });
  const type = recordType(name, {
    description: `A ${what} that was deleted in the last 90 days.`,
    fields: (t) => ({
      ...t.ids(name),
      administrationId: t.required.id('Internal id of the administration it belonged to.'),
      ...fields(t),
      deletedAt: t.moment('When it was deleted.'),
    }),
  });
  exposeList(resource, type, {
    description: `The ${what}s of an administration that were deleted in the last 90 days. Needs a Bearer token.`,
    filters: builder.args((t) => ({
      deletedAfter: t.field({ type: 'DateTime', description: 'Only those deleted after this moment.' }),
      deletedBefore: t.field({ type: 'DateTime', description: 'Only those deleted before this moment.' }),
    })),
  });
  exposeChanges(resource, type, {
    kind,
    filter: 'deletedAfter',
    stamp: 'deleted_at',
    retentionMs: 90 * 86_400_000,
    event,
    field,
    description: `A ${what} was deleted.`,
  });
}

exposeDeleted({
  what: 'credit case',
  path: '/v1/credit_cases/deleted',
  list: 'deletedCreditCases',
  field: 'deletedCreditCase',
  type: 'DeletedCreditCase',
  event: 'CreditCaseDeleted',
  kind: 'CREDIT_CASE_DELETED',
  restFields: ['debtor_id'],
  fields: (t) => ({
    debtorId: t.id('Internal id of its debtor.'),
    debtor: debtorJoin('Its debtor, or null if it no longer exists either.'),
  }),
});

exposeDeleted({
  what: 'payment',
  path: '/v1/payments/deleted',
  list: 'deletedPayments',
  field: 'deletedPayment',
  type: 'DeletedPayment',
  event: 'PaymentDeleted',
  kind: 'PAYMENT_DELETED',
  restFields: ['origin_identifier', 'invoice_id'],
  fields: (t) => ({
    originIdentifier: t.text(`Origin identifier. ${UNEXPLAINED}`),
    invoiceId: t.id('Internal id of its invoice.'),
  }),
});
