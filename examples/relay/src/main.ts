import { fetchQuery, graphql } from 'relay-runtime';
import { waitForFragmentData } from 'relay-runtime/experimental';
import { debtorCard } from './debtor-card.ts';
import { debtorList } from './debtor-list.ts';
import { deletedPayments } from './deleted-payments.ts';
import { createEnvironment } from './environment.ts';
import type { debtorCard_debtor$key } from './generated/debtorCard_debtor.graphql.ts';
import debtorCardRefetch, {
  type debtorCardRefetchQuery,
} from './generated/debtorCardRefetchQuery.graphql.ts';
import type { debtorList_administration$key } from './generated/debtorList_administration.graphql.ts';
import debtorListPage, { type debtorListPageQuery } from './generated/debtorListPageQuery.graphql.ts';
import type { deletedPayments_query$key } from './generated/deletedPayments_query.graphql.ts';
import type { mainQuery } from './generated/mainQuery.graphql.ts';

const PAGES = 3;
const query = graphql`
  query mainQuery($administrationId: ID!) {
    administration(id: $administrationId) {
      ...debtorList_administration
    }
    ...deletedPayments_query @arguments(administrationId: $administrationId)
  }
`;

const { GATEWAY_URL = '', GATEWAY_TOKEN = '' } = process.env;
const environment = createEnvironment(GATEWAY_URL, GATEWAY_TOKEN);

const result = await fetchQuery<mainQuery>(environment, query, { administrationId: '1001' }).toPromise();
// If a field of the query fails, it is null, and the other fields have their data.
if (!result?.administration) throw new Error('The administration could not be read.');
const { administration } = result;
const readList = () =>
  waitForFragmentData<debtorList_administration$key>(environment, debtorList, administration);

// In a component, use `usePaginationFragment`, and its `loadNext` for the next page.
let list = await readList();
for (let page = 1; page < PAGES && list.debtors?.pageInfo.hasNextPage; page += 1) {
  const variables = { id: list.id, cursor: list.debtors.pageInfo.endCursor };
  await fetchQuery<debtorListPageQuery>(environment, debtorListPage, variables).toPromise();
  list = await readList();
}
console.log(`${list.debtors?.edges.length ?? 'no'} debtors in ${PAGES} pages`);

const { deletedPayments: payments } = await waitForFragmentData<deletedPayments_query$key>(
  environment,
  deletedPayments,
  result,
);
console.log(`${payments?.edges.length ?? 'no'} deleted payments`);

// In a component, use `useRefetchableFragment`.
const [edge] = list.debtors?.edges ?? [];
if (edge?.node) {
  const variables = { id: edge.node.id };
  await fetchQuery<debtorCardRefetchQuery>(environment, debtorCardRefetch, variables).toPromise();
  const { name, bookOpenAmount } = await waitForFragmentData<debtorCard_debtor$key>(
    environment,
    debtorCard,
    edge.node,
  );
  console.log(`${edge.node.debtorNumber} ${name}: ${bookOpenAmount}`);
}
