import { useCallback, useState } from 'react';
import { type Connection, execute, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { useAlarm } from './use-alarm.ts';
import { useLatest } from './use-latest.ts';

const INTERVAL_MS = 30_000;

/**
 * What is asked for reaches back a while longer than it would have to. That covers clocks of gateway and service
 * that differ, changes that the service commits late, and several at one moment: `updatedAfter` excludes the moment.
 */
export const OVERLAP_MS = 120_000;

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
  readonly walk?: { readonly begunAt: number; readonly after: string };
  readonly error?: GatewayError;
  /** When the next refresh is due; absent while one is under way. */
  readonly dueAt?: number | undefined;
}

/** Reads what has changed every 30 s, in one REST call, while that is needed and the page can be seen. */
export function useRefresh(
  { administrationId, token }: Connection,
  readAt: number,
  isNeeded: boolean,
  onRead: (reading: Reading) => void,
) {
  const [state, setState] = useState<State>(() => ({ freshAt: readAt, dueAt: inAWhile() }));
  const { freshAt, walk, error, dueAt } = state;

  const refresh = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        setState((before) => ({ ...before, dueAt: undefined }));
        try {
          const updatedAfter = new Date(freshAt - OVERLAP_MS).toISOString();
          const variables = { administrationId, updatedAfter, first: REST_PAGE_SIZE, after: walk?.after };
          const { data, error, sent } = await execute(token(), ChangedDebtors, variables, signal);
          if (!data?.debtors) throw error;
          if (signal.aborted) return;
          const { nodes, pageInfo } = data.debtors;
          onRead({ debtors: nodes.filter((node) => node !== null), sent, isRefresh: true });
          // What came broken is asked for again.
          if (nodes.includes(null)) throw error;
          const begunAt = walk?.begunAt ?? sent.gatewayTime;
          const after = pageInfo.hasNextPage && pageInfo.endCursor;
          setState({
            ...(after ? { freshAt, walk: { begunAt, after } } : { freshAt: begunAt }),
            dueAt: inAWhile(),
          });
        } catch (cause) {
          if (signal.aborted) return;
          const error = GatewayError.from(cause);
          // A token that was refused is not sent again by itself: the service might take that for an attack.
          setState({ freshAt, error, dueAt: error.isRefusal ? undefined : inAWhile() });
        }
      },
      [administrationId, token, freshAt, walk, onRead],
    ),
  );

  useAlarm(isNeeded ? dueAt : undefined, refresh);

  return { freshAt, error, refresh };
}

function inAWhile(): number {
  return performance.now() + INTERVAL_MS;
}
