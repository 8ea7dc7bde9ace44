import { useCallback, useEffect, useState } from 'react';
import { type Connection, execute, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { useLatest } from './use-latest.ts';
import { useVisible } from './use-visible.ts';

const INTERVAL_MS = 30_000;

/**
 * Each refresh also asks for what changed a while before it would have to. That covers clocks of gateway and service
 * that differ, changes that the service commits late, and several at one moment: `updatedAfter` excludes the moment.
 */
const OVERLAP_MS = 120_000;

/** One REST call brings at most as many. */
const REST_PAGE_SIZE = 500;

const ChangedDebtors = graphql(`
  query ChangedDebtors($administrationId: ID!, $updatedAfter: DateTime!, $first: Int!, $after: String) {
    debtors(administrationId: $administrationId, updatedAfter: $updatedAfter, first: $first, after: $after) {
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

interface State {
  /** Every change until this moment was read, by the gateway's clock. */
  readonly freshAt: number;
  /** Set where more has changed than one call brings: when that was begun, and where the next refresh goes on. */
  readonly walk?: { readonly begunAt: number; readonly after: string } | undefined;
  readonly status: 'waiting' | 'refreshing' | 'failed';
  readonly error?: GatewayError;
  /** When the last refresh ended, by the timer of this page. */
  readonly endedAt: number;
}

/** Reads what has changed every 30 s, in one REST call, while the page can be seen. */
export function useRefresh(
  { administrationId, token }: Connection,
  readAt: number,
  onRead: (reading: Reading) => void,
) {
  const [state, setState] = useState<State>(() => ({
    freshAt: readAt,
    status: 'waiting',
    endedAt: performance.now(),
  }));
  const { freshAt, walk, status, error, endedAt } = state;
  const isVisible = useVisible();

  const refresh = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        setState((before) => ({ ...before, status: 'refreshing' }));
        try {
          const updatedAfter = new Date(freshAt - OVERLAP_MS).toISOString();
          const variables = { administrationId, updatedAfter, first: REST_PAGE_SIZE, after: walk?.after };
          const { data, error, sent } = await execute(token, ChangedDebtors, variables, signal);
          if (!data?.debtors) throw error;
          if (signal.aborted) return;
          const { nodes, pageInfo } = data.debtors;
          onRead({ debtors: nodes.filter((node) => node !== null), sent });
          // What came broken is asked for again.
          if (nodes.includes(null)) throw error;
          const begunAt = walk?.begunAt ?? sent.gatewayTime;
          const { hasNextPage, endCursor: after } = pageInfo;
          const progress =
            hasNextPage && after ? { freshAt, walk: { begunAt, after } } : { freshAt: begunAt };
          setState({ ...progress, status: 'waiting', endedAt: performance.now() });
        } catch (cause) {
          if (signal.aborted) return;
          const error = GatewayError.from(cause);
          setState({ freshAt, status: 'failed', error, endedAt: performance.now() });
        }
      },
      [administrationId, token, freshAt, walk, onRead],
    ),
  );

  // A token that was refused is not sent again by itself: the service may revoke it, or bar the sender.
  const isDue = isVisible && status !== 'refreshing' && !error?.isRefusal;
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(refresh, endedAt + INTERVAL_MS - performance.now());
    return () => clearTimeout(timer);
  }, [isDue, endedAt, refresh]);

  return { freshAt, error, refresh };
}
