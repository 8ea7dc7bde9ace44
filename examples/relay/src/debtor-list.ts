import { graphql } from 'relay-runtime';

/** A list that grows: Relay makes the query for the next page by itself, and adds what it brings. */
export const debtorList = graphql`
  fragment debtorList_administration on Administration
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "debtorListPageQuery") {
    debtors(first: $count, after: $cursor) @connection(key: "debtorList_debtors") {
      edges {
        node {
          id
          debtorNumber
          ...debtorCard_debtor
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
