const OPEN_AMOUNTS = `query OpenAmounts($administration: ID!, $after: String) {
  debtors(administrationId: $administration, first: 10000, after: $after) {
    nodes { name bookOpenAmount }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Debtor {
  readonly name: string;
  readonly bookOpenAmount: string | null;
}

interface Page {
  readonly debtors: {
    readonly nodes: readonly (Debtor | null)[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** The debtors that owe something, largest amount first. `ask` sends a query and gives its data, or throws. */
export async function openAmounts(
  ask: (query: string, variables: object) => Promise<Page>,
  administration: string,
): Promise<Debtor[]> {
  const open: Debtor[] = [];
  let after: string | null = null;
  do {
    const { debtors }: Page = await ask(OPEN_AMOUNTS, { administration, after });
    for (const debtor of debtors.nodes) if (debtor && amountOf(debtor) > 0n) open.push(debtor);
    after = debtors.pageInfo.hasNextPage ? debtors.pageInfo.endCursor : null;
  } while (after !== null);
  return open.sort((one, other) => Number(amountOf(other) - amountOf(one)));
}

/** In units of 0.0001, exactly: as a number, a large amount would lose cents. */
function amountOf({ bookOpenAmount }: Debtor): bigint {
  const [whole = '', fraction = ''] = (bookOpenAmount ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(4, '0'));
}
