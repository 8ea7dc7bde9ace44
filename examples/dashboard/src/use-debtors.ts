import { useCallback, useEffect, useReducer, useRef } from 'react';
import { changePages, type DebtorPages, START } from './debtor-pages.ts';
import { type Connection, execute, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { argumentsOf, isEverything, type Question } from './question.ts';
import { useLatest } from './use-latest.ts';
import { useRenewal } from './use-renewal.ts';

const PAGE_SIZE = 50;

/** Changes within this time are followed up together. */
const PAUSE_MS = 2_000;

/** For a longer list, only the totals follow changes: reading so many rows repeatedly would take too much. */
const MAX_FOLLOWED = 500;

// All fields of one operation share one read of the list, so the first page includes the totals.
const DebtorPage = graphql(`
  query DebtorPage(
    $administrationId: ID!
    $where: DebtorWhere
    $orderBy: [DebtorOrder!]
    $first: Int!
    $after: String
    $withTotals: Boolean!
    $withLabels: Boolean!
  ) {
    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy, first: $first, after: $after) {
      nodes {
        id
        ...DebtorRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totals @include(if: $withTotals) {
        ...SummaryTotals
      }
      groups(by: LABELS_NAME) @include(if: $withLabels) {
        key
      }
      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8)
        @include(if: $withTotals) {
        ...CityBar
      }
    }
  }
`);

const DebtorTotals = graphql(`
  query DebtorTotals($administrationId: ID!, $where: DebtorWhere) {
    debtors(administrationId: $administrationId, where: $where) {
      totals {
        ...SummaryTotals
      }
      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8) {
        ...CityBar
      }
    }
  }
`);

/**
 * Reads the debtors that match a question, page by page, or none without a question. The previous rows stay
 * until the first page arrives. Passes the debtors to `onRead`. After each `revision` it reads the totals
 * again, and the rows too if changes can affect which debtors match, or their order.
 */
export function useDebtors(
  { administrationId, token, renewals }: Connection,
  question: Question | undefined,
  revision: number,
  onRead: (reading: Reading) => void,
) {
  const [state, change] = useReducer(changePages, START);
  const current = useRef({ state, revision });
  current.current = { state, revision };

  const load = useLatest(
    useCallback(
      async (signal: AbortSignal, after?: string) => {
        if (!question) return change({ type: 'cleared' });
        change({ type: 'requested' });
        const isFirst = after === undefined;
        const { revision } = current.current;
        try {
          const variables = {
            administrationId,
            ...argumentsOf(question),
            first: PAGE_SIZE,
            after,
            withTotals: isFirst,
            withLabels: isFirst && isEverything(question),
          };
          const { data, error, sent } = await execute(token(), DebtorPage, variables, signal);
          const page = data?.debtors;
          if (!page) throw error;
          if (signal.aborted) return;
          onRead({ debtors: page.nodes.filter((node) => node !== null), sent });
          change({ type: 'received', question, page, isFirst, revision });
        } catch (error) {
          if (!signal.aborted) change({ type: 'failed', question, error: GatewayError.from(error), isFirst });
        }
      },
      [administrationId, token, question, onRead],
    ),
  );

  const followUp = useCallback(
    async (signal: AbortSignal) => {
      const { state: before, revision } = current.current;
      const { ids, unreadable, next, status } = before;
      if (!question) return;
      const { where, orderBy } = argumentsOf(question);
      // Requests one more page if all rows were shown, so that a new debtor appears too.
      const first = ids.length + unreadable + (next === undefined ? PAGE_SIZE : 0);
      if (isEverything(question) || status !== 'ready' || first > MAX_FOLLOWED) {
        const counting = execute(token(), DebtorTotals, { administrationId, where }, signal);
        const result = await counting.catch(() => undefined);
        const whole = result?.data?.debtors ?? wholeWithout(result, before);
        if (!signal.aborted) change({ type: 'totalsReceived', question, whole, revision });
        return;
      }
      const variables = { administrationId, where, orderBy, first, withTotals: true, withLabels: false };
      const result = await execute(token(), DebtorPage, variables, signal).catch(() => undefined);
      if (signal.aborted) return;
      const page = result?.data?.debtors;
      if (!page) {
        return change({ type: 'totalsReceived', question, whole: wholeWithout(result, before), revision });
      }
      onRead({ debtors: page.nodes.filter((node) => node !== null), sent: result.sent });
      change({ type: 'refreshed', before, page, revision });
    },
    [administrationId, token, question, onRead],
  );

  useEffect(() => load(), [load]);

  const { error } = state;
  // The rows may belong to the previous question, whose position is not valid in the current list.
  const next = state.question === question ? state.next : undefined;
  const loadNext = useCallback(() => load(next), [load, next]);
  useRenewal(renewals, error?.isRefusal ?? false, loadNext);

  const isBehind = question !== undefined && state.question === question && state.revision < revision;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a follow-up, the state can be out of date again.
  useEffect(() => {
    if (!isBehind) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void followUp(abort.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isBehind, state.revision, followUp]);

  return { ...state, loadNext };
}

/**
 * Returns the totals if they could not be read: the previous ones if the token was rejected, otherwise none.
 */
function wholeWithout(result: { readonly error: GatewayError } | undefined, { totals, cities }: DebtorPages) {
  return result?.error.isRefusal ? { totals, cities } : { totals: null, cities: null };
}
