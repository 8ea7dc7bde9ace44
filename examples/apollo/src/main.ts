import { createClient } from './client.ts';
import { graphql } from './generated/index.ts';

const OpenAmounts = graphql(`
  query OpenAmounts($administrationId: ID!, $first: Int!, $after: String) {
    debtors(administrationId: $administrationId, first: $first, after: $after) {
      edges {
        node {
          id
          debtorNumber
          name
          bookOpenAmount
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const PAGES = 3;
const variables = { administrationId: '1001', first: 20 };

const { GATEWAY_URL = '', GATEWAY_TOKEN = '' } = process.env;
const client = createClient(GATEWAY_URL, GATEWAY_TOKEN);

// In a component, `useQuery` returns both.
const first = await client.query({ query: OpenAmounts, variables });
const list = client.watchQuery({ query: OpenAmounts, variables });

let pageInfo = first.data?.debtors?.pageInfo;
for (let page = 1; page < PAGES && pageInfo?.hasNextPage; page += 1) {
  const next = await list.fetchMore({ variables: { after: pageInfo.endCursor } });
  pageInfo = next.data?.debtors?.pageInfo;
}

// The cache has merged the pages into one list, under the arguments of the first.
const cached = client.readQuery({ query: OpenAmounts, variables });
console.table(
  cached?.debtors?.edges.map(({ node }) => node),
  ['debtorNumber', 'name', 'bookOpenAmount'],
);
