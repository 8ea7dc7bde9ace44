import { useCallback, useEffect, useReducer } from 'react';
import { type Connection, execute, GatewayError } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { useLatest } from './use-latest.ts';

const PAGE_SIZE = 50;

const DebtorPage = graphql(`
  query DebtorPage($administrationId: ID!, $debtorNumbers: [String!], $first: Int!, $after: String) {
    debtors(administrationId: $administrationId, debtorNumbers: $debtorNumbers, first: $first, after: $after) {
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
`);

type Page = NonNullable<DebtorPageQuery['debtors']>;

interface State {
  readonly ids: readonly string[];
  /** How many records the service sent broken. */
  readonly unreadable: number;
  /** Where the next page starts; absent behind the last. */
  readonly next?: string | undefined;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: GatewayError | undefined;
}

const START: State = { ids: [], unreadable: 0, status: 'loading' };

type Change =
  | { readonly type: 'asked'; readonly after?: string | undefined }
  | { readonly type: 'answered'; readonly page: Page }
  | { readonly type: 'failed'; readonly error: GatewayError };

/** Which debtors an administration has, page by page, or which one has a number. What they hold goes to `onRead`. */
export function useDebtors(
  { administrationId, token }: Connection,
  debtorNumber: string,
  onRead: (reading: Reading) => void,
) {
  const [state, change] = useReducer(reduce, START);

  const load = useLatest(
    useCallback(
      async (signal: AbortSignal, after?: string) => {
        change({ type: 'asked', after });
        try {
          const debtorNumbers = debtorNumber === '' ? undefined : [debtorNumber];
          const variables = { administrationId, debtorNumbers, first: PAGE_SIZE, after };
          const { data, error, sent } = await execute(token, DebtorPage, variables, signal);
          const page = data?.debtors;
          if (!page) throw error;
          if (signal.aborted) return;
          onRead({ debtors: page.nodes.filter((node) => node !== null), sent });
          change({ type: 'answered', page });
        } catch (error) {
          if (!signal.aborted) change({ type: 'failed', error: GatewayError.from(error) });
        }
      },
      [administrationId, token, debtorNumber, onRead],
    ),
  );

  useEffect(() => load(), [load]);

  return { ...state, load };
}

function reduce(state: State, change: Change): State {
  switch (change.type) {
    case 'asked':
      return change.after === undefined ? START : { ...state, status: 'loading', error: undefined };
    case 'answered': {
      const { nodes, pageInfo } = change.page;
      const ids = nodes.flatMap((node) => node?.id ?? []);
      return {
        ids: [...state.ids, ...ids],
        unreadable: state.unreadable + nodes.length - ids.length,
        next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
        status: 'ready',
      };
    }
    case 'failed':
      return { ...state, status: 'failed', error: change.error };
  }
}
