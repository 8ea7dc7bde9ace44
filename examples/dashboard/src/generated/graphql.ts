/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type DebtorRowFragment = { debtorNumber: string, name: string, bookOpenAmount: string | null, labels: Array<{ name: string }> | null } & { ' $fragmentName'?: 'DebtorRowFragment' };

export type AdministrationsQueryVariables = Exact<{ [key: string]: never; }>;


export type AdministrationsQuery = { viewer: { administrations: Array<{ internalId: string, name: string | null }> } | null };

export type DebtorPageQueryVariables = Exact<{
  administrationId: string;
  debtorNumbers?: Array<string> | string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type DebtorPageQuery = { debtors: { nodes: Array<(
      { id: string }
      & { ' $fragmentRefs'?: { 'DebtorRowFragment': DebtorRowFragment } }
    ) | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ChangedDebtorsQueryVariables = Exact<{
  administrationId: string;
  updatedAfter: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ChangedDebtorsQuery = { debtors: { nodes: Array<(
      { id: string }
      & { ' $fragmentRefs'?: { 'DebtorRowFragment': DebtorRowFragment } }
    ) | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const DebtorRowFragmentDoc = new TypedDocumentString(`
    fragment DebtorRow on Debtor {
  debtorNumber
  name
  bookOpenAmount
  labels {
    name
  }
}
    `, {"fragmentName":"DebtorRow"}) as unknown as TypedDocumentString<DebtorRowFragment, unknown>;
export const AdministrationsDocument = new TypedDocumentString(`
    query Administrations {
  viewer {
    administrations {
      internalId
      name
    }
  }
}
    `, {"hash":"sha256:7e25149fb4681e7ece12d740aa8d16a39199c38341c2419be98388f371c76b89"}) as unknown as TypedDocumentString<AdministrationsQuery, AdministrationsQueryVariables>;
export const DebtorPageDocument = new TypedDocumentString(`
    query DebtorPage($administrationId: ID!, $debtorNumbers: [String!], $first: Int!, $after: String) {
  debtors(
    administrationId: $administrationId
    debtorNumbers: $debtorNumbers
    first: $first
    after: $after
  ) {
    nodes {
      id
      ...DebtorRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DebtorRow on Debtor {
  debtorNumber
  name
  bookOpenAmount
  labels {
    name
  }
}`, {"hash":"sha256:a8d56c19f4733baddf56b7991c2b21bc6b3e6c087997647d6bcc184d32aa4978"}) as unknown as TypedDocumentString<DebtorPageQuery, DebtorPageQueryVariables>;
export const ChangedDebtorsDocument = new TypedDocumentString(`
    query ChangedDebtors($administrationId: ID!, $updatedAfter: DateTime!, $first: Int!, $after: String) {
  debtors(
    administrationId: $administrationId
    updatedAfter: $updatedAfter
    first: $first
    after: $after
  ) {
    nodes {
      id
      ...DebtorRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DebtorRow on Debtor {
  debtorNumber
  name
  bookOpenAmount
  labels {
    name
  }
}`, {"hash":"sha256:2fad03cf3f13c7a5973fac9e00f137f471afaa498bc013bc41e73226131aa670"}) as unknown as TypedDocumentString<ChangedDebtorsQuery, ChangedDebtorsQueryVariables>;