import type { Sent } from './gateway.ts';
import type { DebtorPageQuery } from './generated/graphql.ts';

/** A debtor as any of the queries reads it. */
export type Debtor = NonNullable<NonNullable<DebtorPageQuery['debtors']>['nodes'][number]>;

/** What one answer says of some debtors. */
export interface Reading {
  readonly debtors: readonly Debtor[];
  readonly sent: Sent;
  /** Whether it tells what has changed. */
  readonly isRefresh?: boolean;
}

/** The newest of a debtor, and when it was seen to change, both by the timer of this page. */
interface Known {
  readonly debtor: Debtor;
  readonly sentAt: number;
  readonly changedAt?: number | undefined;
}

/** Everything that was read of an administration: the newest of each debtor, by its id. */
export interface KnownDebtors {
  readonly byId: ReadonlyMap<string, Known>;
  /** When the first of it was asked for, by the gateway's clock. */
  readonly since?: number;
  /** How many refreshes have brought something new, which totals that were read before do not count. */
  readonly revision: number;
}

export const NOTHING: KnownDebtors = { byId: new Map(), revision: 0 };

/** Answers may overtake each other: what was asked for later is newer, whichever comes first. */
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
 * The debtors of a list, each once and at the place where it was first read. A list that was read to its end also
 * holds what is known besides: that came to the administration later.
 */
export function debtorsOf({ byId }: KnownDebtors, ids: readonly string[], isWhole: boolean): Known[] {
  const listed = new Set(isWhole ? [...ids, ...byId.keys()] : ids);
  return [...listed].flatMap((id) => byId.get(id) ?? []);
}
