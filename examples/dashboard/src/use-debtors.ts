import { useCallback, useEffect, useReducer } from 'react';
import { type Connection, execute, GatewayError } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';
import type { Reading } from './known-debtors.ts';
import { argumentsOf, isEverything, type Question } from './question.ts';
import { useLatest } from './use-latest.ts';

const PAGE_SIZE = 50;

// All that one operation asks of the whole list shares one reading of it, so the first page brings the totals along.
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
    }
  }
`);

const DebtorTotals = graphql(`
  query DebtorTotals($administrationId: ID!, $where: DebtorWhere) {
    debtors(administrationId: $administrationId, where: $where) {
      totals {
        ...SummaryTotals
      }
    }
  }
`);

type Page = NonNullable<DebtorPageQuery['debtors']>;

export interface DebtorPages {
  /** What the rows are an answer to; absent until there is one. */
  readonly question?: Question | undefined;
  readonly ids: readonly string[];
  /** How many records the service sent broken. */
  readonly unreadable: number;
  /** Of all that the question finds; null where they could not be read. */
  readonly totals?: Page['totals'];
  /** All labels of the administration, where the question is for everything. */
  readonly labels: readonly string[];
  /** Where the next page starts; absent behind the last. */
  readonly next?: string | undefined;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: GatewayError | undefined;
}

const START: DebtorPages = { ids: [], unreadable: 0, labels: [], status: 'loading' };

type Change =
  | { readonly type: 'left' }
  | { readonly type: 'asked' }
  | { readonly type: 'answered'; readonly question: Question; readonly page: Page; readonly isFirst: boolean }
  | { readonly type: 'counted'; readonly question: Question; readonly totals: Page['totals'] }
  | {
      readonly type: 'failed';
      readonly question: Question;
      readonly error: GatewayError;
      readonly isFirst: boolean;
    };

/**
 * The debtors that a question finds, page by page; none without one. The rows of the question before stay until the
 * first page of the next has come. What the debtors hold goes to `onRead`; with each `revision` the totals are read anew.
 */
export function useDebtors(
  { administrationId, token }: Connection,
  question: Question | undefined,
  revision: number,
  onRead: (reading: Reading) => void,
) {
  const [state, change] = useReducer(reduce, START);

  const load = useLatest(
    useCallback(
      async (signal: AbortSignal, after?: string) => {
        if (!question) return change({ type: 'left' });
        change({ type: 'asked' });
        const isFirst = after === undefined;
        try {
          const variables = {
            administrationId,
            ...argumentsOf(question),
            first: PAGE_SIZE,
            after,
            withTotals: isFirst,
            withLabels: isFirst && isEverything(question),
          };
          const { data, error, sent } = await execute(token, DebtorPage, variables, signal);
          const page = data?.debtors;
          if (!page) throw error;
          if (signal.aborted) return;
          onRead({ debtors: page.nodes.filter((node) => node !== null), sent });
          change({ type: 'answered', question, page, isFirst });
        } catch (error) {
          if (!signal.aborted) change({ type: 'failed', question, error: GatewayError.from(error), isFirst });
        }
      },
      [administrationId, token, question, onRead],
    ),
  );

  const count = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        if (!question) return;
        const { where } = argumentsOf(question);
        const answer = await execute(token, DebtorTotals, { administrationId, where }, signal).catch(
          () => null,
        );
        if (!signal.aborted)
          change({ type: 'counted', question, totals: answer?.data?.debtors?.totals ?? null });
      },
      [administrationId, token, question],
    ),
  );

  useEffect(() => load(), [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question brings its totals itself.
  useEffect(() => {
    if (revision > 0) count();
  }, [revision]);

  return { ...state, load };
}

function reduce(state: DebtorPages, change: Change): DebtorPages {
  switch (change.type) {
    case 'left':
      return START;
    case 'asked':
      return { ...state, status: 'loading', error: undefined };
    case 'answered': {
      const { question, isFirst } = change;
      const { nodes, pageInfo, totals, groups } = change.page;
      const ids = nodes.flatMap((node) => node?.id ?? []);
      const before = isFirst ? START : state;
      return {
        question,
        ids: [...before.ids, ...ids],
        unreadable: before.unreadable + nodes.length - ids.length,
        totals: isFirst ? totals : state.totals,
        labels: isFirst ? (groups?.flatMap(({ key }) => key ?? []) ?? []) : state.labels,
        next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
        status: 'ready',
      };
    }
    case 'counted':
      return state.question === change.question ? { ...state, totals: change.totals } : state;
    case 'failed': {
      const { question, error, isFirst } = change;
      return { ...(isFirst ? START : state), question, status: 'failed', error };
    }
  }
}
