import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { npmScript } from '../../scripts/commands.mjs';
import { ADMINISTRATION, BEARER, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();
const debtors = debtorsOf(gateway, ADMINISTRATION);
const token = BEARER.authorization.replace('Bearer ', '');

async function start(example: string, env: Record<string, string> = {}): Promise<string> {
  const own = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: token, ...env };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [npmScript(), 'start', '-w', `examples/${example}`],
    { env: { PATH: process.env.PATH, ...own } },
  );
  return stdout;
}

test('the example fetch prints a few debtors, or the code of the error with status 1', async () => {
  const output = await start('fetch');
  for (const { name } of debtors.slice(0, 5)) expect(output).toContain(name);
  expect(gateway.calls()).toMatchObject([{ call: 'GET /v1/debtors', per_page: '5' }]);

  const env = { PATH: process.env.PATH, GATEWAY_URL: gateway.url, GATEWAY_TOKEN: 'no-such-token' };
  const again = promisify(execFile)(process.execPath, ['examples/fetch/dist/main.js'], { env });
  await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('UNAUTHENTICATED: ') });
  const nowhere = { ...env, GATEWAY_URL: 'http://127.0.0.1:9/graphql' };
  const alone = promisify(execFile)(process.execPath, ['examples/fetch/dist/main.js'], { env: nowhere });
  await expect(alone).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No response from .*\n$/),
  });
});

test('the example fetch starts and stops its own gateway', async () => {
  const output = await start('fetch', { GATEWAY_URL: '', GATEWAY_TOKEN: '' });
  expect(output).toContain(debtors[0]?.name);
  expect(gateway.calls()).toEqual([]);
});

test('the example apollo merges three pages into one list', async () => {
  const output = await start('apollo');
  const printed = Array.from(output.matchAll(/'(D\d+)'/g), ([, number]) => number);
  expect(printed).toEqual(debtors.slice(0, 60).map((debtor) => debtor.debtor_number));
  expect(gateway.calls().map(({ per_page, cursor }) => [per_page, typeof cursor])).toEqual([
    ['20', 'undefined'],
    ['20', 'string'],
    ['20', 'string'],
  ]);
});

test('the example relay merges three pages into one list, and fetches a record again by its id', async () => {
  const output = await start('relay');
  const [debtor] = debtors;
  expect(output).toContain('60 debtors in 3 pages');
  expect(output).toContain(`${debtor?.debtor_number} ${debtor?.name}: ${debtor?.book_open_amount}`);
  const calls = gateway.calls().map(({ call, ids }) => (ids === undefined ? call : `${call} ${ids}`));
  expect(calls.sort()).toEqual([
    'GET /v1/debtors',
    'GET /v1/debtors',
    'GET /v1/debtors',
    `GET /v1/debtors ${debtor?.id}`,
    'GET /v1/payments/deleted',
  ]);
  await expect(start('relay', { GATEWAY_TOKEN: 'no-such-token' })).rejects.toMatchObject({ code: 1 });
});

test('the example dashboard starts with the form filled in, and the gateway at the same origin', async () => {
  const server = spawn(
    process.execPath,
    [npmScript(), 'start', '-w', 'examples/dashboard', '--', '--port', '0'],
    {
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
      detached: true,
    },
  );
  const exit = once(server, 'exit');
  onTestFinished(async () => {
    // Like Ctrl-C, this stops npm and its children at once.
    process.kill(-Number(server.pid), 'SIGINT');
    await exit;
  });
  let output = '';
  while (!/Local: +http\S+\s/.test(output)) output += (await once(server.stdout, 'data'))[0];
  const url = /Local: +(\S+)/.exec(output)?.[1] ?? '';
  const page = await (await fetch(url)).text();
  expect(page).toContain(`<meta name="prefill-token" content="${token}">`);
  const answer = await fetch(new URL('/graphql?query={__typename}', url));
  expect(await answer.json()).toMatchObject({ data: { __typename: 'Query' } });
});
