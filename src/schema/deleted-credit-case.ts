import { defineResource } from '../rest/resource.ts';
import { recordRef } from './builder.ts';
import { exposeChanges } from './change.ts';
import { exposeList } from './connection.ts';
import { debtorJoin } from './debtor.ts';
import { DELETED_AT, DELETED_FILTERS, DELETION, deletedArguments } from './deleted.ts';
import { globalId, INTERNAL_ID } from './node.ts';

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
