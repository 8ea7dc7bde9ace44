import { graphql } from 'relay-runtime';

/** One record that can be read anew, by its global id. */
export const debtorCard = graphql`
  fragment debtorCard_debtor on Debtor @refetchable(queryName: "debtorCardRefetchQuery") {
    name
    bookOpenAmount
    labels {
      name
    }
  }
`;
