import type { GatewayError } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';
import type { Question } from './question.ts';

export type Page = NonNullable<DebtorPageQuery['debtors']>;

export interface DebtorPages {
  /** The question whose rows are shown; absent before the first result. */
  readonly question?: Question | undefined;
  readonly ids: readonly string[];
  /** How many invalid records the service sent. */
  readonly unreadable: number;
  /** The totals of all matching debtors; null if they could not be read. */
  readonly totals?: Page['totals'];
  /** The cities with the largest open amounts of all matching debtors. */
  readonly cities?: Page['cities'];
  /** All labels of the administration, if the question matches everything. */
  readonly labels: readonly string[];
  /** Where the next page starts; absent after the last page. */
  readonly next?: string | undefined;
  /** All of this is at least as new as this revision of the known debtors. */
  readonly revision: number;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: GatewayError | undefined;
}

export const START: DebtorPages = { ids: [], unreadable: 0, labels: [], revision: 0, status: 'loading' };

export type PagesChange =
  | { readonly type: 'cleared' }
  | { readonly type: 'requested' }
  | {
      readonly type: 'received';
      readonly question: Question;
      readonly page: Page;
      readonly isFirst: boolean;
      readonly revision: number;
    }
  /** Only the totals were read again. */
  | {
      readonly type: 'totalsReceived';
      readonly question: Question;
      readonly whole: Pick<DebtorPages, 'totals' | 'cities'>;
      readonly revision: number;
    }
  /** The same number of rows was read again. */
  | {
      readonly type: 'refreshed';
      readonly before: DebtorPages;
      readonly page: Page;
      readonly revision: number;
    }
  | {
      readonly type: 'failed';
      readonly question: Question;
      readonly error: GatewayError;
      readonly isFirst: boolean;
    };

export function changePages(state: DebtorPages, change: PagesChange): DebtorPages {
  switch (change.type) {
    case 'cleared':
      return START;
    case 'requested':
      return { ...state, status: 'loading', error: undefined };
    case 'received': {
      const { question, page, isFirst, revision } = change;
      if (!isFirst) return { ...state, ...appendPage(state, page), status: 'ready' };
      const labels = page.groups?.flatMap(({ key }) => key ?? []) ?? [];
      const { totals, cities } = page;
      return { ...appendPage(START, page), question, totals, cities, labels, revision, status: 'ready' };
    }
    case 'totalsReceived': {
      const { question, whole, revision } = change;
      const { totals, cities } = whole;
      return state.question === question ? { ...state, totals, cities, revision } : state;
    }
    case 'refreshed': {
      const { before, page, revision } = change;
      if (state.question !== before.question) return state;
      // Keep the rows if another page arrived meanwhile.
      const isSame = state.ids === before.ids && state.status === 'ready';
      const { totals, cities } = page;
      return { ...state, ...(isSame && appendPage(START, page)), totals, cities, revision };
    }
    case 'failed': {
      const { question, error, isFirst } = change;
      // A rejected token says nothing about the question: keep the rows until there is another token.
      if (error.isRefusal) return { ...state, status: 'failed', error };
      return { ...(isFirst ? START : state), question, status: 'failed', error };
    }
  }
}

function appendPage({ ids: before, unreadable }: DebtorPages, { nodes, pageInfo }: Page) {
  const ids = nodes.flatMap((node) => node?.id ?? []);
  return {
    ids: [...before, ...ids],
    unreadable: unreadable + nodes.length - ids.length,
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}
