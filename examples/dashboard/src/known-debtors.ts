import type { Sent } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';

/** A debtor as every query selects it. */
export type Debtor = NonNullable<NonNullable<DebtorPageQuery['debtors']>['nodes'][number]>;

/** The debtors in one result. */
export interface Reading {
  readonly debtors: readonly Debtor[];
  readonly sent: Sent;
  /** Whether the result reports changes. */
  readonly isRefresh?: boolean;
}

/** The newest version of a debtor, and when it changed, in the time of `performance.now()`. */
interface Known {
  readonly debtor: Debtor;
  readonly sentAt: number;
  readonly changedAt?: number | undefined;
}

/** Everything read of an administration: the newest version of each debtor by its id. */
export interface KnownDebtors {
  readonly byId: ReadonlyMap<string, Known>;
  /** When the first of these was requested, in the gateway's time. */
  readonly since?: number;
  /** How many refreshes had changes. Totals of an earlier revision are out of date. */
  readonly revision: number;
}

export const NOTHING: KnownDebtors = { byId: new Map(), revision: 0 };

/** Merges a result. Results can arrive out of order, so the one requested last wins. */
export function mergeReading(
  known: KnownDebtors,
  { debtors, sent, isRefresh = false }: Reading,
): KnownDebtors {
  const byId = new Map(known.byId);
  const isNew = (debtor: Debtor) => JSON.stringify(byId.get(debtor.id)?.debtor) !== JSON.stringify(debtor);
  const revision = known.revision + (isRefresh && debtors.some(isNew) ? 1 : 0);
  for (const debtor of debtors) {
    const before = byId.get(debtor.id);
    const changedAt = isRefresh && isNew(debtor) ? sent.at : before?.changedAt;
    if (!before || before.sentAt <= sent.at) byId.set(debtor.id, { debtor, sentAt: sent.at, changedAt });
  }
  return { byId, since: known.since ?? sent.gatewayTime, revision };
}

/**
 * Returns the debtors of a list, each once, in the order of the ids. A complete list also includes all other
 * known debtors, which are newer than the list.
 */
export function debtorsOf({ byId }: KnownDebtors, ids: readonly string[], isWhole: boolean): Known[] {
  const listed = new Set(isWhole ? [...ids, ...byId.keys()] : ids);
  return [...listed].flatMap((id) => byId.get(id) ?? []);
}
