import { graphql } from 'relay-runtime';

/** A paginated list: Relay generates the query for the next page and appends its rows. */
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
