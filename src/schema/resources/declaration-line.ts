import { BY_ID } from '../../rest/lookup.ts';
import { assumed, defineResource } from '../../rest/resource.ts';
import { administrationFields } from '../fields/administration.ts';
import { builder, restValue, UNEXPLAINED_VALUES } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { refetchLoader } from '../fields/loaders.ts';
import { exposeRecord } from '../fields/record.ts';
import { recordType } from '../fields/record-type.ts';

const declarationLines = defineResource({
  name: 'declarationLines',
  type: 'DeclarationLine',
  path: '/v1/health_care/declaration_lines',
  credential: 'bearer',
  takesFields: true,
  requiredFields: ['id', 'administration_id'],
  filters: {
    administrationId: assumed('administration_id'),
    ids: assumed('ids'),
    orderLineIdentifiers: assumed('order_line_identifiers'),
    invoiceIdentifiers: assumed('invoice_identifiers'),
    claimStatus: assumed('claim_status'),
    createdAfter: assumed('created_after'),
    createdBefore: assumed('created_before'),
    updatedAfter: assumed('updated_after'),
  },
});

const ClaimStatus = builder.enumType('ClaimStatus', {
  description: `A claim status, as the REST service has it. ${UNEXPLAINED_VALUES}`,
  values: {
    ACTION_REQUIRED: restValue('action_required'),
    AUTO_RESUBMIT: restValue('auto_resubmit'),
    DRAFT: restValue('draft'),
    FAILED: restValue('failed'),
    PROCESSED: restValue('processed'),
    SUBMITTED: restValue('submitted'),
  },
});

const DeclarationLineCustomer = recordType('DeclarationLineCustomer', {
  description: 'The customer of a declaration line.',
  fields: (t) => ({ emailAddress: t.text('E-mail address.') }),
});

const DeclarationLine = recordType('DeclarationLine', {
  description: 'A health-care declaration line. The REST service names its fields without explaining them.',
  refetch: refetchLoader(declarationLines),
  fields: (t) => ({
    ...t.ids('DeclarationLine'),
    ...administrationFields(t),
    claim: t.flag('Claim flag.'),
    claimStatus: t.of(ClaimStatus, 'Claim status.'),
    claimResponseCodes: t.texts('Claim response codes.'),
    orderLineIdentifier: t.text('Identifier of an order line.'),
    productIdentifier: t.text('Identifier of a product.'),
    invoiceIdentifier: t.text('Identifier of an invoice.'),
    creditInvoiceIdentifier: t.text('Identifier of a credit invoice.'),
    amount: t.amount('Amount.'),
    creditedAmount: t.amount('Credited amount.'),
    creditedReimbursedAmount: t.amount('Credited reimbursed amount.'),
    rejectedAmount: t.amount('Rejected amount.'),
    reimbursedAmount: t.amount('Reimbursed amount.'),
    customer: t.of(DeclarationLineCustomer, 'Customer.'),
    deeplinkUrl: t.text('Deep link.'),
    createdAt: t.moment('When it was created.'),
    updatedAt: t.moment('Last change.'),
  }),
});

exposeRecord('declarationLine', declarationLines, DeclarationLine, {
  description: 'One declaration line, or null if there is none. Needs a Bearer token.',
  args: builder.args((t) => ({ id: t.id({ required: true, description: 'Global or internal id.' }) })),
  keys: { id: BY_ID },
});

exposeList(declarationLines, DeclarationLine, {
  description: 'The health-care declaration lines of an administration. Needs a Bearer token.',
  filters: builder.args((t) => ({
    ids: t.idList({ description: 'Only these, by global or internal id.' }),
    orderLineIdentifiers: t.stringList({ description: 'Only those with these order line identifiers.' }),
    invoiceIdentifiers: t.stringList({ description: 'Only those with these invoice identifiers.' }),
    claimStatus: t.field({ type: ClaimStatus, description: 'Only those with this claim status.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Only those created after this moment.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Only those created before this moment.' }),
    updatedAfter: t.field({ type: 'DateTime', description: 'Only those changed after this moment.' }),
  })),
});

exposeChanges(declarationLines, DeclarationLine, {
  kind: 'DECLARATION_LINE_CHANGED',
  filter: 'updatedAfter',
  stamp: 'updated_at',
  event: 'DeclarationLineChanged',
  field: 'declarationLine',
  description:
    'A declaration line was created or changed. If one disappears, there is no event: no list of the service shows it.',
});
