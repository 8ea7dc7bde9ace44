import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { blocksOf } from './pages.ts';

const gateway = await useGateway();
const folder = new URL('recipes/', import.meta.url);

test('the page shows the code that is tested here', () => {
  const shown = blocksOf('docs/recipes.md').filter(({ language }) => ['ts', 'python'].includes(language));
  const files = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8').trimEnd());
  expect(shown.map(({ text }) => text).sort()).toEqual(files.sort());
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
