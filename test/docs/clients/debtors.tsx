import { gql, type TypedDocumentNode } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';

interface Page {
  nodes: ({ id: string; name: string; bookOpenAmount: string | null } | null)[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const DEBTORS: TypedDocumentNode<{ debtors: Page | null }> = gql`
  query Debtors($administrationId: ID!, $after: String) {
    debtors(administrationId: $administrationId, first: 20, after: $after) {
      nodes { id name bookOpenAmount }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export function Debtors({ administrationId }: { administrationId: string }) {
  const { data, error, fetchMore } = useQuery(DEBTORS, { variables: { administrationId } });
  const [moreError, setMoreError] = useState<Error>();
  const codes = CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.code) : [];
  if (codes.includes('FORBIDDEN')) return <p>You have no access to this administration.</p>;
  if (error) return <p>{error.message}</p>;
  if (!data?.debtors) return <p>Loading …</p>;
  const { nodes, pageInfo } = data.debtors;
  const readMore = () => {
    setMoreError(undefined);
    fetchMore({ variables: { after: pageInfo.endCursor } }).catch(setMoreError);
  };
  return (
    <>
      <ul>
        {nodes.map(
          (debtor) => debtor && <li key={debtor.id}>{`${debtor.name}: ${debtor.bookOpenAmount ?? '–'}`}</li>,
        )}
      </ul>
      {moreError && <p role="alert">{moreError.message}</p>}
      <button type="button" disabled={!pageInfo.hasNextPage} onClick={readMore}>
        More
      </button>
    </>
  );
}
