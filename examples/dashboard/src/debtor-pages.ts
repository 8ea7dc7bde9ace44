import type { GatewayError } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';
import type { Question } from './question.ts';

export type Page = NonNullable<DebtorPageQuery['debtors']>;

export interface DebtorPages {
  /** What the rows are an answer to; absent until there is one. */
  readonly question?: Question | undefined;
  readonly ids: readonly string[];
  /** How many records the service sent broken. */
  readonly unreadable: number;
  /** Of all that the question finds; null where they could not be read. */
  readonly totals?: Page['totals'];
  /** The cities that owe most, of all that the question finds. */
  readonly cities?: Page['cities'];
  /** All labels of the administration, where the question is for everything. */
  readonly labels: readonly string[];
  /** Where the next page starts; absent behind the last. */
  readonly next?: string | undefined;
  /** The revision of what is known that all of this was read at, or after. */
  readonly revision: number;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error?: GatewayError | undefined;
}

export const START: DebtorPages = { ids: [], unreadable: 0, labels: [], revision: 0, status: 'loading' };

export type PagesChange =
  | { readonly type: 'left' }
  | { readonly type: 'asked' }
  | {
      readonly type: 'answered';
      readonly question: Question;
      readonly page: Page;
      readonly isFirst: boolean;
      readonly revision: number;
    }
  /** Only the totals were read again. */
  | {
      readonly type: 'counted';
      readonly question: Question;
      readonly whole: Pick<DebtorPages, 'totals' | 'cities'>;
      readonly revision: number;
    }
  /** The rows were read again, as many as there were before. */
  | {
      readonly type: 'followed';
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
    case 'left':
      return START;
    case 'asked':
      return { ...state, status: 'loading', error: undefined };
    case 'answered': {
      const { question, page, isFirst, revision } = change;
      if (!isFirst) return { ...state, ...appendPage(state, page), status: 'ready' };
      const labels = page.groups?.flatMap(({ key }) => key ?? []) ?? [];
      const { totals, cities } = page;
      return { ...appendPage(START, page), question, totals, cities, labels, revision, status: 'ready' };
    }
    case 'counted': {
      const { question, whole, revision } = change;
      const { totals, cities } = whole;
      return state.question === question ? { ...state, totals, cities, revision } : state;
    }
    case 'followed': {
      const { before, page, revision } = change;
      if (state.question !== before.question) return state;
      // A page that has come meanwhile belongs to the rows as they were.
      const isSame = state.ids === before.ids && state.status === 'ready';
      const { totals, cities } = page;
      return { ...state, ...(isSame && appendPage(START, page)), totals, cities, revision };
    }
    case 'failed': {
      const { question, error, isFirst } = change;
      // A refused token says nothing about the question: the rows before it stay until there is another token.
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
