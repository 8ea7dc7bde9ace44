import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRow } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { blocksOf } from './pages.ts';
import { FreshCopy } from './recipes/fresh-copy.ts';

const gateway = await useGateway();
const folder = new URL('recipes/', import.meta.url);

/** What a recipe calls to send a query: the data, where there are no errors. */
async function ask(query: string, variables: object) {
  const { errors, text } = await gateway.query(query, variables);
  expect(errors).toBeUndefined();
  return JSON.parse(text).data;
}

test('the page shows the code that is tested here', () => {
  const shown = blocksOf('docs/recipes.md').filter(({ language }) => ['ts', 'python'].includes(language));
  const files = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8').trimEnd());
  expect(shown.map(({ text }) => text).sort()).toEqual(files.sort());
});

test('a copy stays fresh by one call, and takes in what has changed', async () => {
  const copy = new FreshCopy();
  await copy.refresh(ask, SMALL_ADMINISTRATION);
  const debtors = debtorsOf(gateway, SMALL_ADMINISTRATION);
  expect(copy.debtors.size).toBe(debtors.length);

  gateway.rest.calls.length = 0;
  gateway.rest.misbehave(changeRow(0, { name: 'Another name' }));
  await copy.refresh(ask, SMALL_ADMINISTRATION);
  const newest = Math.max(...debtors.map(({ updated_at }) => Date.parse(updated_at)));
  const updated_after = new Date(newest - 60_000).toISOString();
  expect(gateway.calls()).toMatchObject([{ call: 'GET /v1/debtors', updated_after }]);
  expect(copy.debtors.size).toBe(debtors.length);
  expect([...copy.debtors.values()].map(({ name }) => name)).toContain('Another name');
});

test('a batch that the service calls unsuccessful is no error of GraphQL', async () => {
  const errors = { 500001: ['Later.'] };
  gateway.rest.misbehave({ kind: 'rewrite', rewrite: () => ({ success: false, count: 0, errors }) });
  const messages = [{ id: '500001', read: true }];
  const answer = await gateway.query(
    `mutation ($input: UpdateMessagesInput!) { updateMessages(input: $input) { success count errors { recordId messages } } }`,
    { input: { administrationId: ADMINISTRATION, messages } },
  );
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toEqual({
    updateMessages: { success: false, count: 0, errors: [{ recordId: '500001', messages: ['Later.'] }] },
  });
});
