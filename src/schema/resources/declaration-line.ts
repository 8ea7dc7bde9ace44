import { BY_ID } from '../../rest/lookup.ts';
import { assumed, defineResource } from '../../rest/resource.ts';
import { builder, recordRef, restValue, UNEXPLAINED_VALUES } from '../fields/builder.ts';
import { exposeList } from '../fields/connection.ts';
import { refetchLoader } from '../fields/loaders.ts';
import { computed, restMetadata } from '../fields/metadata.ts';
import { globalId, INTERNAL_ID, Node } from '../fields/node.ts';
import { exposeRecord } from '../fields/record.ts';
import { Administration } from './administration.ts';
import { exposeChanges } from './change.ts';

interface DeclarationLineRow {
  readonly id: string;
  readonly administration_id: string;
  readonly claim?: boolean | null;
  readonly claim_status?: typeof ClaimStatus.$inferType | null;
  readonly claim_response_codes?: readonly string[] | null;
  readonly order_line_identifier?: string | null;
  readonly product_identifier?: string | null;
  readonly invoice_identifier?: string | null;
  readonly credit_invoice_identifier?: string | null;
  readonly amount?: string | null;
  readonly credited_amount?: string | null;
  readonly credited_reimbursed_amount?: string | null;
  readonly rejected_amount?: string | null;
  readonly reimbursed_amount?: string | null;
  readonly customer?: CustomerRow | null;
  readonly deeplink_url?: string | null;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
}

interface CustomerRow {
  readonly email_address?: string | null;
}

const declarationLines = defineResource<DeclarationLineRow>({
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

const DeclarationLineCustomer = recordRef<CustomerRow>('DeclarationLineCustomer').implement({
  description: 'The customer of a declaration line.',
  fields: (t) => ({
    emailAddress: t.exposeString('email_address', { description: 'E-mail address.' }),
  }),
});

const DeclarationLine = recordRef<DeclarationLineRow>('DeclarationLine').implement({
  description: 'A health-care declaration line. The REST service names its fields without explaining them.',
  interfaces: [Node],
  extensions: restMetadata({
    refetch: refetchLoader(declarationLines),
  }),
  fields: (t) => ({
    id: t.id(globalId('DeclarationLine')),
    internalId: t.exposeID('id', INTERNAL_ID),
    administrationId: t.exposeID('administration_id', {
      nullable: false,
      description: 'Internal id of the administration it belongs to.',
    }),
    administration: t.field({
      type: Administration,
      description: 'The administration it belongs to. Costs no REST call.',
      ...computed(({ administration_id }) => ({ id: administration_id }), {
        restFields: ['administration_id'],
      }),
    }),
    claim: t.exposeBoolean('claim', { description: 'Claim flag.' }),
    claimStatus: t.expose('claim_status', { type: ClaimStatus, description: 'Claim status.' }),
    claimResponseCodes: t.exposeStringList('claim_response_codes', {
      description: 'Claim response codes.',
    }),
    orderLineIdentifier: t.exposeString('order_line_identifier', {
      description: 'Identifier of an order line.',
    }),
    productIdentifier: t.exposeString('product_identifier', { description: 'Identifier of a product.' }),
    invoiceIdentifier: t.exposeString('invoice_identifier', { description: 'Identifier of an invoice.' }),
    creditInvoiceIdentifier: t.exposeString('credit_invoice_identifier', {
      description: 'Identifier of a credit invoice.',
    }),
    amount: t.expose('amount', { type: 'Amount', description: 'Amount.' }),
    creditedAmount: t.expose('credited_amount', { type: 'Amount', description: 'Credited amount.' }),
    creditedReimbursedAmount: t.expose('credited_reimbursed_amount', {
      type: 'Amount',
      description: 'Credited reimbursed amount.',
    }),
    rejectedAmount: t.expose('rejected_amount', { type: 'Amount', description: 'Rejected amount.' }),
    reimbursedAmount: t.expose('reimbursed_amount', { type: 'Amount', description: 'Reimbursed amount.' }),
    customer: t.expose('customer', { type: DeclarationLineCustomer, description: 'Customer.' }),
    deeplinkUrl: t.exposeString('deeplink_url', { description: 'Deep link.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updated_at', { type: 'DateTime', description: 'Last change.' }),
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
