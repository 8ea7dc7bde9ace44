import { expect, test } from 'vitest';
import { BEARER, EXPLAIN, freshGateway } from '../support/gateway.ts';
import { createData } from '../support/rest-world.ts';
import { times } from '../support/times.ts';

const LIST = `query ($ids: [ID!], $numbers: [String!], $first: Int, $after: String) {
  debtors(administrationId: "1001", ids: $ids, debtorNumbers: $numbers, first: $first, after: $after) {
    nodes { internalId name }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Debtors {
  readonly debtors: {
    readonly nodes: readonly { readonly internalId: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** A cursor holds an id, and stands in a URL beside the values of filters: as many as nearly fill it. */
test.each([
  ['ids', 111, 30, 290],
  ['ids', 111, 30, 900],
  ['ids', 60, 400, 400],
  ['ids', 24, 990, 990],
  ['numbers', 122, 10, 290],
  ['numbers', 300, 130, 130],
])(
  'a list by %s of %i debtors, whose ids have %i characters and the first %i, is read page by page',
  async (filter, debtors, idLength, first) => {
    const data = createData({ administrations: 1, debtors, cases: 0, idLength, sharing: 1 });
    const rows = data.debtors.map((row, index) =>
      index === 0 ? { ...row, id: row.id.padEnd(first, 'y') } : row,
    );
    const gateway = await freshGateway({ rest: { data: { ...data, debtors: rows } } });
    const ids = rows.map(({ id }) => id);
    const filters =
      filter === 'ids' ? { ids } : { numbers: times(debtors, (index) => `D${index}`.padEnd(25, '0')) };
    if (filter === 'numbers')
      for (const [index, row] of gateway.rest.data.debtors.entries())
        Object.assign(row, { debtor_number: `D${index}`.padEnd(25, '0') });
    const read: string[] = [];
    let after: string | null = null;
    for (const size of [1, 10, debtors]) {
      const answer: { data: unknown; errors?: unknown; extensions: { cost?: object } } = await gateway.query(
        LIST,
        {
          ...filters,
          first: size,
          after,
        },
        { ...BEARER, ...EXPLAIN },
      );
      expect(JSON.stringify(answer.errors)).toBeUndefined();
      const { calls, estimatedCalls } = Object(answer.extensions.cost);
      expect(calls).toBeLessThanOrEqual(estimatedCalls);
      const { nodes, pageInfo }: Debtors['debtors'] = (answer.data as Debtors).debtors;
      read.push(...nodes.map(({ internalId }) => internalId));
      after = pageInfo.endCursor;
    }
    expect(read.toSorted()).toEqual(ids.toSorted());
  },
);
