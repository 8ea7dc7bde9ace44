import { defineResource } from '../rest/resource.ts';
import { recordRef } from './builder.ts';
import { exposeChanges } from './change.ts';
import { exposeList } from './connection.ts';
import { DELETED_AT, DELETED_FILTERS, DELETION, deletedArguments } from './deleted.ts';
import { UNEXPLAINED } from './description.ts';
import { globalId, INTERNAL_ID } from './node.ts';

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
