import { graphql } from 'relay-runtime';

/** A list of `Query`: its filters are part of its cache key. */
export const deletedPayments = graphql`
  fragment deletedPayments_query on Query
  @argumentDefinitions(
    administrationId: { type: "ID!" }
    deletedAfter: { type: "DateTime" }
    count: { type: "Int", defaultValue: 20 }
    cursor: { type: "String" }
  )
  @refetchable(queryName: "deletedPaymentsPageQuery") {
    deletedPayments(
      administrationId: $administrationId
      deletedAfter: $deletedAfter
      first: $count
      after: $cursor
    ) @connection(key: "deletedPayments_deletedPayments") {
      edges {
        node {
          id
          deletedAt
        }
      }
    }
  }
`;
