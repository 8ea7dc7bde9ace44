const CHANGED = `query Changed($administration: ID!, $since: DateTime) {
  debtors(administrationId: $administration, updatedAfter: $since, first: 10000) {
    nodes { id name bookOpenAmount updatedAt }
  }
}`;

/** More than clocks of the service differ, and than a change takes to show. */
const OVERLAP_MS = 60_000;

interface Debtor {
  readonly id: string;
  readonly name: string;
  readonly bookOpenAmount: string | null;
  readonly updatedAt: string | null;
}

type Ask = (
  query: string,
  variables: object,
) => Promise<{ readonly debtors: { readonly nodes: readonly (Debtor | null)[] } }>;

/** Debtors by their ids; each refresh reads what has changed since the newest change that is known. */
export class FreshCopy {
  readonly debtors = new Map<string, Debtor>();
  #newest = Number.NEGATIVE_INFINITY;

  async refresh(ask: Ask, administration: string): Promise<void> {
    const isFirst = this.#newest === Number.NEGATIVE_INFINITY;
    const since = isFirst ? null : new Date(this.#newest - OVERLAP_MS).toISOString();
    const { debtors } = await ask(CHANGED, { administration, since });
    for (const debtor of debtors.nodes) {
      if (debtor === null) continue;
      this.debtors.set(debtor.id, debtor);
      if (debtor.updatedAt !== null) this.#newest = Math.max(this.#newest, Date.parse(debtor.updatedAt));
    }
  }
}
