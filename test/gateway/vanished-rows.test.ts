import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, type TestGateway, useGateway } from '../support/gateway.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';

const gateway = await useGateway();

/** The ids of a list that is read in two pages of REST. */
async function walk({ query }: TestGateway = gateway) {
  const answer = await query(
    `{ debtors(administrationId: "${ADMINISTRATION}", first: 510) { nodes { internalId } } }`,
  );
  const { debtors } = { debtors: { nodes: [] }, ...Object(answer.data) };
  return { answer, ids: (debtors?.nodes ?? []).map(({ internalId }: { internalId: string }) => internalId) };
}

/** Deletes records once the first page has been answered. */
function deleteAfterFirstPage(ids: readonly (string | undefined)[]) {
  gateway.rest.misbehave(
    changePage((body) => {
      const { debtors } = gateway.rest.data;
      for (const id of ids) {
        debtors.splice(
          debtors.findIndex((debtor) => debtor.id === id),
          1,
        );
      }
      return body;
    }),
  );
}

const cursors = () => gateway.calls().map(({ cursor }) => cursor);

describe('a row that vanishes between two pages', () => {
  test('does not end the walk where it was the cursor', async () => {
    const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
    deleteAfterFirstPage([ids[499]]);
    const { answer, ids: found } = await walk();
    expect(codesOf(answer)).toEqual([]);
    expect(found).toEqual(ids.slice(0, 510));
    expect(cursors()).toEqual([undefined, ids[499], ids[498]]);
  });

  test.each([
    [2, [0, 1, 2]],
    [3, [0, 1, 2, 4]],
    [10, [0, 1, 2, 4, 8, 16]],
    [499, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499]],
  ])(
    'takes the %i rows before it along, and the walk goes on from one that is left',
    async (count, steps) => {
      const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
      deleteAfterFirstPage(ids.slice(500 - count, 500));
      const { answer, ids: found } = await walk();
      expect(codesOf(answer)).toEqual([]);
      expect(found).toEqual(ids.slice(0, 510));
      expect(cursors()).toEqual([undefined, ...steps.map((step) => ids[499 - step])]);
    },
  );

  test('ends the walk as a fault of the service where all of a page have vanished', async () => {
    const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
    deleteAfterFirstPage(ids.slice(0, 500));
    const { answer } = await walk();
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(gateway.calls()).toHaveLength(12);
  });

  test.each([404, 422])('is met as well where the service answers %i', async (status) => {
    const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
    gateway.rest.misbehave(
      changePage((body) => {
        gateway.rest.misbehave({ kind: 'status', status });
        return body;
      }),
    );
    const { answer, ids: found } = await walk();
    expect(codesOf(answer)).toEqual([]);
    expect(found).toEqual(ids.slice(0, 510));
  });
});

test('a row that comes twice on one page is given once', async () => {
  const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
  gateway.rest.misbehave(
    changePage(({ data, pagination }) => ({ data: [...data, ...data.slice(0, 2)], pagination })),
  );
  const { ids: found } = await walk();
  expect(found).toEqual(ids.slice(0, 510));
});

test('a row that comes on two pages is given once', async () => {
  const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
  gateway.rest.misbehave(changePage(({ data }) => ({ data, pagination: { cursor: ids[497] } })));
  const { ids: found } = await walk();
  expect(found).toEqual(ids.slice(0, 510));
});
