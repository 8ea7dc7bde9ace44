import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useGateway } from './support/gateway.ts';

const gateway = await useGateway();
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const examples = Array.from(
  readme.matchAll(/```sh\n(curl [^`]*)```\s+```json\n([^`]*)```/g),
  ([, command = '', answer = '']) => ({ command, answer }),
);

test('the README has examples', () => {
  expect(examples).toHaveLength(2);
});

test.each(examples)('the README shows what is answered to $command', async ({ command, answer }) => {
  const headers = Object.fromEntries(
    Array.from(command.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const [, body = ''] = /-d '(.*)'/.exec(command) ?? [];
  const response = await gateway.post(body, headers);
  expect(steady(await response.json())).toEqual(steady(JSON.parse(answer)));
});

/** Times differ from run to run. */
function steady(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'milliseconds' ? 0 : value)));
}
