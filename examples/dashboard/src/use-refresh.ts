import { useCallback, useState } from 'react';
import { type Connection, execute, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { useAlarm } from './use-alarm.ts';
import { useLatest } from './use-latest.ts';

const INTERVAL_MS = 30_000;

/**
 * How far each poll reaches back. This covers differences between the clocks of gateway and service, late
 * commits, and several changes at the same time, since `updatedAfter` excludes its own time.
 */
export const OVERLAP_MS = 120_000;

/** The most records that one REST call returns. */
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
  /** All changes up to this time were read, in the gateway's time. */
  readonly freshAt: number;
  /**
   * Set if more has changed than one call returns: when reading began, and where the next refresh continues.
   */
  readonly walk?: { readonly begunAt: number; readonly after: string };
  readonly error?: GatewayError;
  /** When the next refresh is due; absent while one is running. */
  readonly dueAt?: number | undefined;
}

/** Reads changes every 30 s in one REST call, while needed and while the page is visible. */
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
          // Read invalid records again.
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
          // Do not resend a rejected token automatically: the service might consider it an attack.
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
