import { useCallback, useEffect, useReducer, useRef } from 'react';
import { type Connection, execute } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';

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
type Debtor = NonNullable<Page['nodes'][number]>;

interface State {
  readonly debtors: readonly Debtor[];
  /** How many records the service sent broken. */
  readonly unreadable: number;
  /** Where the next page starts; absent behind the last. */
  readonly next?: string | undefined;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: unknown;
}

const START: State = { debtors: [], unreadable: 0, status: 'loading' };

type Change =
  | { readonly type: 'asked'; readonly after?: string | undefined }
  | { readonly type: 'answered'; readonly page: Page }
  | { readonly type: 'failed'; readonly error: unknown };

/** The debtors of an administration page by page, or the one with a number. */
export function useDebtors({ administrationId, token }: Connection, debtorNumber: string) {
  const [state, change] = useReducer(reduce, START);
  const request = useRef<AbortController>(undefined);

  const load = useCallback(
    async (after?: string) => {
      // A new question gives up the one before it, so that its answer can never show.
      request.current?.abort();
      request.current = new AbortController();
      const { signal } = request.current;
      change({ type: 'asked', after });
      try {
        const debtorNumbers = debtorNumber === '' ? undefined : [debtorNumber];
        const variables = { administrationId, debtorNumbers, first: PAGE_SIZE, after };
        const { data, error } = await execute(token, DebtorPage, variables, signal);
        const page = data?.debtors;
        if (!page) throw error;
        if (!signal.aborted) change({ type: 'answered', page });
      } catch (error) {
        if (!signal.aborted) change({ type: 'failed', error });
      }
    },
    [administrationId, token, debtorNumber],
  );

  useEffect(() => {
    void load();
    return () => request.current?.abort();
  }, [load]);

  return { ...state, load };
}

function reduce(state: State, change: Change): State {
  switch (change.type) {
    case 'asked':
      return change.after === undefined ? START : { ...state, status: 'loading', error: undefined };
    case 'answered': {
      const { nodes, pageInfo } = change.page;
      const readable = nodes.filter((node) => node !== null);
      return {
        debtors: [...state.debtors, ...readable],
        unreadable: state.unreadable + nodes.length - readable.length,
        next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
        status: 'ready',
      };
    }
    case 'failed':
      return { ...state, status: 'failed', error: change.error };
  }
}
