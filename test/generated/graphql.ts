/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What can happen to a record. */
export type ChangeKind =
  /** A credit case was deleted. */
  | 'CREDIT_CASE_DELETED'
  /** A debtor was created or changed. */
  | 'DEBTOR_CHANGED'
  /** A declaration line was created or changed. */
  | 'DECLARATION_LINE_CHANGED'
  /** A payment was deleted. */
  | 'PAYMENT_DELETED';

/** A claim status, as the REST service has it. The REST service lists the values without explaining them. */
export type ClaimStatus =
  /** `action_required` of the REST service. */
  | 'ACTION_REQUIRED'
  /** `auto_resubmit` of the REST service. */
  | 'AUTO_RESUBMIT'
  /** `draft` of the REST service. */
  | 'DRAFT'
  /** `failed` of the REST service. */
  | 'FAILED'
  /** `processed` of the REST service. */
  | 'PROCESSED'
  /** `submitted` of the REST service. */
  | 'SUBMITTED';

/** A message, and the read flag to set. */
export type MessageUpdate = {
  /** Internal id of the message. */
  id: string;
  /** The read flag to set. */
  read: boolean;
};

/** A completion status of a task, as the REST service has it. The REST service lists the values without explaining them. */
export type TaskCompletedStatus =
  /** `cleaned_up` of the REST service. */
  | 'CLEANED_UP'
  /** `failed` of the REST service. */
  | 'FAILED'
  /** `succeeded` of the REST service. */
  | 'SUCCEEDED';

/** Which task to unmark as completed. */
export type UnmarkTaskCompletedInput = {
  /** Its administration, by global or internal id. */
  administrationId?: string | null | undefined;
  /** The task, by global or internal id. */
  taskId: string;
};

/** The messages to change, and their administration. */
export type UpdateMessagesInput = {
  /** The administration, by global or internal id. */
  administrationId: string;
  /** The messages, at least one. */
  messages: Array<MessageUpdate>;
};

export type DebtorsQueryVariables = Exact<{
  administrationId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DebtorsQuery = { debtors: { nodes: Array<{ debtorNumber: string, name: string, bookOpenAmount: string | null, labels: Array<{ name: string }> | null, postalAddress: { city: string, countryCode: string } } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type WhoOwesMostQueryVariables = Exact<{
  administrationId: string;
  first?: number | null | undefined;
}>;


export type WhoOwesMostQuery = { debtors: { nodes: Array<{ debtorNumber: string, name: string, bookOpenAmount: string | null } | null> } | null };

export type TotalsByLabelQueryVariables = Exact<{
  administrationId: string;
}>;


export type TotalsByLabelQuery = { debtors: { totals: { count: number, bookOpenAmount: { sum: string } } | null, groups: Array<{ key: string | null, totals: { count: number, bookOpenAmount: { sum: string } } }> | null } | null };

export type OpenAmountByCityQueryVariables = Exact<{
  administrationId: string;
  first?: number | null | undefined;
}>;


export type OpenAmountByCityQuery = { debtors: { groups: Array<{ key: string | null, totals: { count: number, bookOpenAmount: { sum: string } } }> | null } | null };

export type LinesByMonthQueryVariables = Exact<{
  administrationId: string;
}>;


export type LinesByMonthQuery = { declarationLines: { groups: Array<{ key: string | null, totals: { count: number, amount: { sum: string } } }> | null } | null };

export type DeletedCreditCasesQueryVariables = Exact<{
  administrationId: string;
  first?: number | null | undefined;
}>;


export type DeletedCreditCasesQuery = { deletedCreditCases: { nodes: Array<{ internalId: string, deletedAt: string | null, debtor: { name: string, primaryEmailAddress: string | null } | null } | null> } | null };

export type LiveChangesSubscriptionVariables = Exact<{
  administrationId: string;
  kinds?: Array<ChangeKind> | ChangeKind | null | undefined;
}>;


export type LiveChangesSubscription = { changes:
    | { kind: ChangeKind, seenAt: string, deletedCreditCase: { internalId: string, deletedAt: string | null } }
    | { kind: ChangeKind, seenAt: string, debtor: { debtorNumber: string, name: string, bookOpenAmount: string | null } }
    | { kind: ChangeKind, seenAt: string, declarationLine: { internalId: string, claimStatus: ClaimStatus | null, amount: string | null } }
    | { kind: ChangeKind, seenAt: string, deletedPayment: { internalId: string, deletedAt: string | null } }
   };

export type DeclarationLinesQueryVariables = Exact<{
  administrationId: string;
  claimStatus?: ClaimStatus | null | undefined;
}>;


export type DeclarationLinesQuery = { declarationLines: { nodes: Array<{ internalId: string, claimStatus: ClaimStatus | null, claimResponseCodes: Array<string> | null, amount: string | null, rejectedAmount: string | null, createdAt: string | null } | null> } | null };

export type DebtorByNumberQueryVariables = Exact<{
  administrationId: string;
  debtorNumber: string;
}>;


export type DebtorByNumberQuery = { debtor: { id: string, name: string, bookOpenAmount: string | null, creditLimitAmount: string | null, paymentBehaviour: number | null, updatedAt: string | null } | null };

export type CompaniesQueryVariables = Exact<{ [key: string]: never; }>;


export type CompaniesQuery = { companies: { nodes: Array<{ internalId: string, name: string | null, status: string | null, trial: boolean | null, trialEndsOn: string | null } | null> } | null };

export type UnmarkTaskMutationVariables = Exact<{
  input: UnmarkTaskCompletedInput;
}>;


export type UnmarkTaskMutation = { unmarkTaskCompleted: { task: { internalId: string, subject: string | null, completedAt: string | null, completedStatus: TaskCompletedStatus | null, debtor: { name: string } | null } } | null };

export type MarkMessagesMutationVariables = Exact<{
  input: UpdateMessagesInput;
}>;


export type MarkMessagesMutation = { updateMessages: { success: boolean, count: number, errors: Array<{ recordId: string, messages: Array<string> }>, warnings: Array<{ recordId: string, messages: Array<string> }> } | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { scopes: Array<string>, expiresAt: string | null, company: { name: string | null } | null, administrations: Array<{ internalId: string, name: string | null }> } | null };

export type FirstDebtorQueryVariables = Exact<{
  administrationId: string;
}>;


export type FirstDebtorQuery = { debtors: { nodes: Array<{ name: string } | null> } | null };

export type OwnAndForeignDebtorQueryVariables = Exact<{
  own: string;
  foreign: string;
  debtorNumber: string;
}>;


export type OwnAndForeignDebtorQuery = { own: { name: string } | null, foreign: { name: string } | null };

export type MarkAsReadMutationVariables = Exact<{
  input: UpdateMessagesInput;
}>;


export type MarkAsReadMutation = { updateMessages: { success: boolean, count: number } | null };

export type DebtorNodesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type DebtorNodesQuery = { nodes: Array<
    | { internalId: string, name: string }
    | Record<PropertyKey, never>
   | null> };

export type FirstDebtorIdQueryVariables = Exact<{
  administrationId: string;
}>;


export type FirstDebtorIdQuery = { debtors: { nodes: Array<{ id: string } | null> } | null };

export type DebtorsByIdentifierQueryVariables = Exact<{
  identifiers?: Array<string> | string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  more?: boolean | null | undefined;
}>;


export type DebtorsByIdentifierQuery = { debtors: { edges: Array<{ cursor: string, node: { internalId: string } & { debtorProvidedEmailAddress?: string | null, primaryEmailAddress?: string | null, invoiceEmailAddress?: string | null, invoiceCcEmailAddress?: string | null, invoiceBccEmailAddress?: string | null, reminderEmailAddress?: string | null, reminderCcEmailAddress?: string | null, reminderBccEmailAddress?: string | null, internalNoteEmailAddress?: string | null, externalCreditLimitCurrencyCode?: string | null, autogeneratedCreditLimitAmount?: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AddressesOfDebtorFragment = { debtorProvidedEmailAddress: string | null, primaryEmailAddress: string | null, invoiceEmailAddress: string | null, invoiceCcEmailAddress: string | null, invoiceBccEmailAddress: string | null, reminderEmailAddress: string | null, reminderCcEmailAddress: string | null, reminderBccEmailAddress: string | null, internalNoteEmailAddress: string | null, externalCreditLimitCurrencyCode: string | null, autogeneratedCreditLimitAmount: string | null };

export type UnmarkTaskWithDebtorMutationVariables = Exact<{
  taskId: string;
  administrationId?: string | null | undefined;
}>;


export type UnmarkTaskWithDebtorMutation = { unmarkTaskCompleted: { task: { internalId: string, subject: string | null, completedAt: string | null, completedStatus: TaskCompletedStatus | null, debtor: { name: string } | null } } | null };

export type DebtorPageQueryVariables = Exact<{
  administrationId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  ids?: Array<string> | string | null | undefined;
}>;


export type DebtorPageQuery = { debtors: { edges: Array<{ cursor: string, node: { internalId: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type ListsOfThreeLengthsQueryVariables = Exact<{
  administrationId: string;
}>;


export type ListsOfThreeLengthsQuery = { short: { nodes: Array<{ internalId: string } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, long: { nodes: Array<{ internalId: string } | null>, edges: Array<{ cursor: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, middle: { nodes: Array<{ internalId: string } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DebtorsOfDeletedCasesQueryVariables = Exact<{
  administrationId: string;
}>;


export type DebtorsOfDeletedCasesQuery = { deletedCreditCases: { nodes: Array<{ debtorId: string | null, debtor: { internalId: string, name: string } | null } | null> } | null };

export type RefreshMutationVariables = Exact<{
  refreshToken: string;
}>;


export type RefreshMutation = { refreshAccessToken: { token: { accessToken: string | null, tokenType: string | null, scopes: Array<string> | null, createdAt: string | null, expiresIn: number | null, expiresAt: string | null, refreshToken: string | null } } | null };

export const AddressesOfDebtorFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AddressesOfDebtor"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Debtor"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorProvidedEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"primaryEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceCcEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceBccEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderCcEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderBccEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"internalNoteEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"externalCreditLimitCurrencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"autogeneratedCreditLimitAmount"}}]}}]} as unknown as DocumentNode<AddressesOfDebtorFragment, unknown>;
export const DebtorsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Debtors"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorNumber"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"postalAddress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"countryCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<DebtorsQuery, DebtorsQueryVariables>;
export const WhoOwesMostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WhoOwesMost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"bookOpenAmount"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"gt"},"value":{"kind":"StringValue","value":"0","block":false}}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"BOOK_OPEN_AMOUNT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorNumber"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"}}]}}]}}]}}]} as unknown as DocumentNode<WhoOwesMostQuery, WhoOwesMostQueryVariables>;
export const TotalsByLabelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TotalsByLabel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sum"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"EnumValue","value":"LABELS_NAME"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sum"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<TotalsByLabelQuery, TotalsByLabelQueryVariables>;
export const OpenAmountByCityDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenAmountByCity"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"EnumValue","value":"POSTAL_ADDRESS_CITY"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"BOOK_OPEN_AMOUNT_SUM"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sum"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<OpenAmountByCityQuery, OpenAmountByCityQueryVariables>;
export const LinesByMonthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LinesByMonth"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"declarationLines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"EnumValue","value":"CREATED_AT_MONTH"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sum"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<LinesByMonthQuery, LinesByMonthQueryVariables>;
export const DeletedCreditCasesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeletedCreditCases"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedCreditCases"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"debtor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"primaryEmailAddress"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DeletedCreditCasesQuery, DeletedCreditCasesQueryVariables>;
export const LiveChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"LiveChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kinds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeKind"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"kinds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kinds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"seenAt"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DebtorChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorNumber"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DeclarationLineChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"declarationLine"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"claimStatus"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreditCaseDeleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedCreditCase"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PaymentDeleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedPayment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<LiveChangesSubscription, LiveChangesSubscriptionVariables>;
export const DeclarationLinesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeclarationLines"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"claimStatus"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ClaimStatus"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"declarationLines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"claimStatus"},"value":{"kind":"Variable","name":{"kind":"Name","value":"claimStatus"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"claimStatus"}},{"kind":"Field","name":{"kind":"Name","value":"claimResponseCodes"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"rejectedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<DeclarationLinesQuery, DeclarationLinesQueryVariables>;
export const DebtorByNumberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DebtorByNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"debtorNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"debtorNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"debtorNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bookOpenAmount"}},{"kind":"Field","name":{"kind":"Name","value":"creditLimitAmount"}},{"kind":"Field","name":{"kind":"Name","value":"paymentBehaviour"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<DebtorByNumberQuery, DebtorByNumberQueryVariables>;
export const CompaniesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Companies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"companies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"trial"}},{"kind":"Field","name":{"kind":"Name","value":"trialEndsOn"}}]}}]}}]}}]} as unknown as DocumentNode<CompaniesQuery, CompaniesQueryVariables>;
export const UnmarkTaskDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UnmarkTask"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UnmarkTaskCompletedInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unmarkTaskCompleted"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedStatus"}},{"kind":"Field","name":{"kind":"Name","value":"debtor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<UnmarkTaskMutation, UnmarkTaskMutationVariables>;
export const MarkMessagesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MarkMessages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateMessagesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordId"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordId"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}}]}}]}}]}}]} as unknown as DocumentNode<MarkMessagesMutation, MarkMessagesMutationVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"administrations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const FirstDebtorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FirstDebtor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<FirstDebtorQuery, FirstDebtorQueryVariables>;
export const OwnAndForeignDebtorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnAndForeignDebtor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"own"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"foreign"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"debtorNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"own"},"name":{"kind":"Name","value":"debtor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"own"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"debtorNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"debtorNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"foreign"},"name":{"kind":"Name","value":"debtor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"foreign"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"debtorNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"debtorNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<OwnAndForeignDebtorQuery, OwnAndForeignDebtorQueryVariables>;
export const MarkAsReadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MarkAsRead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateMessagesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as unknown as DocumentNode<MarkAsReadMutation, MarkAsReadMutationVariables>;
export const DebtorNodesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DebtorNodes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Debtor"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<DebtorNodesQuery, DebtorNodesQueryVariables>;
export const FirstDebtorIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FirstDebtorId"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<FirstDebtorIdQuery, FirstDebtorIdQueryVariables>;
export const DebtorsByIdentifierDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DebtorsByIdentifier"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"identifiers"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"more"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"defaultValue":{"kind":"BooleanValue","value":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"StringValue","value":"1001","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"debtorIdentifiers"},"value":{"kind":"Variable","name":{"kind":"Name","value":"identifiers"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AddressesOfDebtor"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"more"}}}]}]}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AddressesOfDebtor"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Debtor"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorProvidedEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"primaryEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceCcEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"invoiceBccEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderCcEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"reminderBccEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"internalNoteEmailAddress"}},{"kind":"Field","name":{"kind":"Name","value":"externalCreditLimitCurrencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"autogeneratedCreditLimitAmount"}}]}}]} as unknown as DocumentNode<DebtorsByIdentifierQuery, DebtorsByIdentifierQueryVariables>;
export const UnmarkTaskWithDebtorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UnmarkTaskWithDebtor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"taskId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unmarkTaskCompleted"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"taskId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"taskId"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedStatus"}},{"kind":"Field","name":{"kind":"Name","value":"debtor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<UnmarkTaskWithDebtorMutation, UnmarkTaskWithDebtorMutationVariables>;
export const DebtorPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DebtorPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<DebtorPageQuery, DebtorPageQueryVariables>;
export const ListsOfThreeLengthsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListsOfThreeLengths"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"short"},"name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"long"},"name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"middle"},"name":{"kind":"Name","value":"debtors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ListsOfThreeLengthsQuery, ListsOfThreeLengthsQueryVariables>;
export const DebtorsOfDeletedCasesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DebtorsOfDeletedCases"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedCreditCases"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"administrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"administrationId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"debtorId"}},{"kind":"Field","name":{"kind":"Name","value":"debtor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DebtorsOfDeletedCasesQuery, DebtorsOfDeletedCasesQueryVariables>;
export const RefreshDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Refresh"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refreshAccessToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"refreshToken"},"value":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}},{"kind":"Field","name":{"kind":"Name","value":"tokenType"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresIn"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"}}]}}]}}]}}]} as unknown as DocumentNode<RefreshMutation, RefreshMutationVariables>;