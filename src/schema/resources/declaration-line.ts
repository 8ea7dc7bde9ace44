import { BY_ID } from '../../rest/lookup.ts';
import { assumed, type Resource } from '../../rest/resource.ts';
import { amount, boolean, id, object, text, timestamp } from '../../rest/values.ts';
import { administrationFields } from '../fields/administration.ts';
import { builder } from '../fields/builder.ts';
import { exposeChanges } from '../fields/change.ts';
import { exposeList } from '../fields/connection.ts';
import { recordIds } from '../fields/node.ts';
import { exposeRecord } from '../fields/record.ts';
import { enumType, getMembers, recordType } from '../fields/record-type.ts';

const claimStatus = enumType('ClaimStatus', 'A claim status, as the REST service has it.', [
  'ACTION_REQUIRED',
  'AUTO_RESUBMIT',
  'DRAFT',
  'FAILED',
  'PROCESSED',
  'SUBMITTED',
]);

const customer = { emailAddress: text.optional('E-mail address.') };
recordType('DeclarationLineCustomer', customer, { description: 'The customer of a declaration line.' });

const declarationLine = {
  ...recordIds('DeclarationLine'),
  ...administrationFields,
  claim: boolean.optional('Claim flag.'),
  claimStatus: claimStatus.optional('Claim status.'),
  claimResponseCodes: text.list('Claim response codes.'),
  orderLineIdentifier: text.optional('Identifier of an order line.'),
  productIdentifier: text.optional('Identifier of a product.'),
  invoiceIdentifier: text.optional('Identifier of an invoice.'),
  creditInvoiceIdentifier: text.optional('Identifier of a credit invoice.'),
  amount: amount.optional('Amount.'),
  creditedAmount: amount.optional('Credited amount.'),
  creditedReimbursedAmount: amount.optional('Credited reimbursed amount.'),
  rejectedAmount: amount.optional('Rejected amount.'),
  reimbursedAmount: amount.optional('Reimbursed amount.'),
  customer: object('DeclarationLineCustomer', customer).optional('Customer.'),
  deeplinkUrl: text.optional('Deep link.'),
  createdAt: timestamp.optional('When it was created.'),
  updatedAt: timestamp.optional('Last change.'),
};

const declarationLines: Resource = {
  name: 'declarationLines',
  type: 'DeclarationLine',
  path: '/v1/health_care/declaration_lines',
  credential: 'bearer',
  takesFields: true,
  members: getMembers(declarationLine),
  filters: {
    administrationId: assumed('administration_id'),
    ids: assumed('ids', id.list('Only these, by global or internal id.')),
    orderLineIdentifiers: assumed(
      'order_line_identifiers',
      text.list('Only those with these order line identifiers.'),
    ),
    invoiceIdentifiers: assumed(
      'invoice_identifiers',
      text.list('Only those with these invoice identifiers.'),
    ),
    claimStatus: assumed('claim_status', claimStatus.optional('Only those with this claim status.')),
    createdAfter: assumed('created_after', timestamp.optional('Only those created after this moment.')),
    createdBefore: assumed('created_before', timestamp.optional('Only those created before this moment.')),
    updatedAfter: assumed('updated_after', timestamp.optional('Only those changed after this moment.')),
  },
};

const DeclarationLine = recordType('DeclarationLine', declarationLine, {
  description: 'A health-care declaration line. The REST service names its fields without explaining them.',
  refetchedFrom: declarationLines,
});

exposeRecord('declarationLine', declarationLines, DeclarationLine, {
  description: 'One declaration line, or null if there is none. Needs a Bearer token.',
  args: builder.args((t) => ({ id: t.id({ required: true, description: 'Global or internal id.' }) })),
  keys: { id: BY_ID },
});

exposeList(
  declarationLines,
  DeclarationLine,
  'The health-care declaration lines of an administration. Needs a Bearer token.',
);

exposeChanges(declarationLines, DeclarationLine, {
  event: 'DeclarationLineChanged',
  cursorKey: 'l',
  filter: 'updatedAfter',
  timestampField: 'updatedAt',
  description: 'A declaration line was created or changed.',
  note: 'If one disappears, there is no event: no list of the service shows it.',
});
