import { graphql } from 'relay-runtime';

/** A record that can be fetched again by its global id. */
export const debtorCard = graphql`
  fragment debtorCard_debtor on Debtor @refetchable(queryName: "debtorCardRefetchQuery") {
    name
    bookOpenAmount
    labels {
      name
    }
  }
`;
