import { assumed, type Resource } from '../../rest/resource.ts';
import { id, text, timestamp } from '../../rest/values.ts';
import { toConstantCase, UNEXPLAINED } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { recordIds } from '../fields/node.ts';
import { type FieldTable, getMembers, recordType } from '../fields/record-type.ts';
import { debtorJoin } from './debtor.ts';

/** Adds the list of deleted records of a type, and the events of their deletion. */
function exposeDeleted(
  name: string,
  options: { readonly path: string; readonly cursorKey: string; readonly fields: FieldTable },
): void {
  const { path, cursorKey, fields } = options;
  const noun = toConstantCase(name).toLowerCase().replaceAll('_', ' ');
  const table = {
    ...recordIds(`Deleted${name}`),
    administrationId: id.required('Internal id of the administration it belonged to.'),
    ...fields,
    deletedAt: timestamp.optional('When it was deleted.'),
  };
  const type = recordType(`Deleted${name}`, table, {
    description: `A ${noun} that was deleted in the last 90 days.`,
  });
  const resource: Resource = {
    name: `deleted${name}s`,
    type: type.name,
    path,
    credential: 'bearer',
    takesFields: false,
    members: getMembers(table),
    filters: {
      administrationId: assumed('administration_id'),
      deletedAfter: assumed('deleted_after', timestamp.optional('Only those deleted after this moment.')),
      deletedBefore: assumed('deleted_before', timestamp.optional('Only those deleted before this moment.')),
    },
  };
  exposeList(
    resource,
    type,
    `The ${noun}s of an administration that were deleted in the last 90 days. Needs a Bearer token.`,
  );
  exposeChanges(resource, type, {
    cursorKey,
    filter: 'deletedAfter',
    timestampField: 'deletedAt',
    retentionMs: 90 * 86_400_000,
    event: `${name}Deleted`,
    description: `A ${noun} was deleted.`,
  });
}

exposeDeleted('CreditCase', {
  path: '/v1/credit_cases/deleted',
  cursorKey: 'c',
  fields: {
    debtorId: id.optional('Internal id of its debtor.'),
    debtor: debtorJoin('Its debtor, or null if it no longer exists either.'),
  },
});

exposeDeleted('Payment', {
  path: '/v1/payments/deleted',
  cursorKey: 'p',
  fields: {
    originIdentifier: text.optional(`Origin identifier. ${UNEXPLAINED}`),
    invoiceId: id.optional('Internal id of its invoice.'),
  },
});
