// @ts-check
import { fieldsOf } from './selection.mjs';

/** @typedef {import('graphql').GraphQLResolveInfo} Info */
/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {{ administrationId: string, first: number }} ListArguments */
/** @typedef {{ administrationId: string, by: { id: string } }} RecordArguments */

/** @typedef {{ [field: string]: (row: any) => unknown }} FieldResolvers */

/** @type {FieldResolvers} */
const deletedCreditCaseFields = {
  id: globalId('DeletedCreditCase'),
  internalId: (row) => row.id,
  administrationId: (row) => row.administration_id,
  debtorId: (row) => row.debtor_id,
  deletedAt: (row) => row.deleted_at,
};

/** @type {FieldResolvers} */
const debtorFields = {
  id: globalId('Debtor'),
  internalId: (row) => row.id,
  administrationId: (row) => row.administration_id,
  debtorNumber: (row) => row.debtor_number,
  debtorIdentifier: (row) => row.debtor_identifier,
  postalAddress: (row) => row.postal_address,
  bankAccountNumber: (row) => row.bank_account_number,
  bookOpenAmount: (row) => row.book_open_amount,
  callPhoneNumber: (row) => row.call_phone_number,
  smsPhoneNumber: (row) => row.sms_phone_number,
  cocNumber: (row) => row.coc_number,
  vatNumber: (row) => row.vat_number,
  creditLimitAmount: (row) => row.credit_limit_amount,
  primaryEmailAddress: (row) => row.primary_email_address,
  invoiceEmailAddress: (row) => row.invoice_email_address,
  reminderEmailAddress: (row) => row.reminder_email_address,
  publicUrl: (row) => row.public_url,
  languageCode: (row) => row.language_code,
  paymentBehaviour: (row) => row.payment_behaviour,
  peppolIdentifier: (row) => row.peppol_identifier,
  peppolEnabled: (row) => row.peppol_enabled,
  relationManager: (row) => row.relation_manager,
  pausedAt: (row) => row.paused_at,
  updatedAt: (row) => row.updated_at,
};

/** @type {FieldResolvers} */
const addressFields = {
  countryCode: (row) => row.country_code,
  postalCode: (row) => row.postal_code,
  street1: (row) => row.street_1,
};

/** @param {string} text */
function base64url(text) {
  return Buffer.from(text).toString('base64url');
}

/**
 * Ids and cursors as the gateway makes them, so that the answers can be compared.
 * @param {string} type
 */
function globalId(type) {
  return (/** @type {any} */ row) => base64url(`["${type}","${row.administration_id}","${row.id}"]`);
}

/** A row is its own edge, so that no object is made for it. */
const connection = {
  nodes: (/** @type {any} */ { rows }) => rows,
  edges: (/** @type {any} */ { rows }) => rows,
  pageInfo: (/** @type {any} */ list) => list,
};
const edge = {
  cursor: (/** @type {any} */ row) => base64url(`:${row.id}`),
  node: (/** @type {any} */ row) => row,
};

/**
 * What a careful hand would write: `fields` follows from the selection, and lookups of one tick are one call.
 * A function for each field, since that is what the engines run fastest where names differ.
 */
export const resolvers = {
  Query: {
    debtors: (
      /** @type {unknown} */ _root,
      /** @type {ListArguments} */ { administrationId, first },
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) => context.listDebtors(administrationId, first, fieldsOf(info)),
    deletedCreditCases: (
      /** @type {unknown} */ _root,
      /** @type {ListArguments} */ { administrationId, first },
      /** @type {Context} */ context,
    ) => context.listDeletedCreditCases(administrationId, first),
    debtor: (
      /** @type {unknown} */ _root,
      /** @type {RecordArguments} */ { administrationId, by },
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) => context.loadDebtor({ administrationId, id: by.id, fields: fieldsOf(info) }),
  },
  DebtorConnection: connection,
  DebtorEdge: edge,
  DeletedCreditCaseConnection: connection,
  DeletedCreditCaseEdge: edge,
  PageInfo: {
    hasNextPage: (/** @type {any} */ { cursor }) => cursor !== undefined,
    endCursor: (/** @type {any} */ { rows, cursor }) =>
      rows.length > 0 ? base64url(`:${cursor ?? rows.at(-1).id}`) : null,
  },
  DeletedCreditCase: {
    ...deletedCreditCaseFields,
    debtor: (
      /** @type {any} */ row,
      /** @type {unknown} */ _args,
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) =>
      context.loadDebtor({
        administrationId: row.administration_id,
        id: row.debtor_id,
        fields: fieldsOf(info),
      }),
  },
  Debtor: debtorFields,
  Address: addressFields,
};
