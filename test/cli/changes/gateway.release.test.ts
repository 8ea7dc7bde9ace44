import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changesQuery } from '../../../src/cli/changes/query.ts';
import { readConfig } from '../../../src/config/index.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway, SMALL_ADMINISTRATION } from '../../support/gateway.ts';
import { startProcess } from '../../support/processes.ts';
import { startRest } from '../../support/resources.ts';
import { changeDebtor } from '../../support/rest-records.ts';
import type { DemoService } from '../../support/rest-service.mjs';
import { serveBuilt } from '../../support/serve.ts';
import { run, startCommand } from '../support.ts';

const TOKEN = demoCredentials.tokens.companyA;
const COMMAND = ['changes', '--administration', SMALL_ADMINISTRATION];
const FAST = { changesPollMs: 100, changesLookbackMs: 1_000 };

function rename(service: DemoService, index: number, name: string): void {
  changeDebtor(service, SMALL_ADMINISTRATION, { name }, index);
}

const environmentOf = (url: string) => ({ RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url });
const linesIn = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

function startChanges(url: string, args: readonly string[]) {
  const { output, errors, ended, interrupt } = startCommand([...COMMAND, ...args], environmentOf(url));
  const isConnected = () => eventually(() => expect(errors()).toContain('Connected'));
  const stop = () => {
    interrupt();
    return ended;
  };
  return { lines: () => linesIn(output()), errors, isConnected, stop };
}

test('changes prints a record as a query returns it', async () => {
  const { url, rest, query } = await freshGateway({ gateway: FAST });
  const changes = startChanges(url, []);
  await changes.isConnected();
  rename(rest, 3, 'Noëlle 👍');
  await eventually(() => expect(changes.lines()).toHaveLength(1));
  const [line] = changes.lines();
  const { id } = line.record;
  expect(line).toEqual({
    eventId: expect.any(String),
    cursor: expect.any(String),
    kind: 'DEBTOR_CHANGED',
    administrationId: SMALL_ADMINISTRATION,
    seenAt: expect.stringMatching(/Z$/),
    record: expect.objectContaining({ name: 'Noëlle 👍' }),
  });
  const fields = Object.keys(line.record).join(' ');
  const answer = await query(`query ($id: ID!) { node(id: $id) { ... on Debtor { ${fields} } } }`, { id });
  expect(answer.data).toEqual({ node: line.record });
  expect(await changes.stop()).toBe(0);
});

test('a gateway with trusted documents accepts the document of `changes --print-query`', async () => {
  const args = ['--kinds', 'DEBTOR_CHANGED', '--fields', 'name labels { name }'];
  const { output } = await run(['changes', '--print-query', ...args]);
  const document = output.trimEnd();
  const hash = createHash('sha256').update(document).digest('hex');
  const { url, rest } = await freshGateway({
    gateway: { ...FAST, trustedDocuments: new Map([[hash, document]]) },
  });
  const changes = startChanges(url, args);
  await changes.isConnected();
  rename(rest, 0, 'Known');
  await eventually(() => expect(changes.lines()).toMatchObject([{ record: { name: 'Known' } }]));
  expect(Object.keys(changes.lines()[0].record)).toEqual(['id', 'name', 'labels']);
  await changes.stop();
  const refused = await run([...COMMAND, '--quiet'], { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url });
  expect(refused).toMatchObject({ status: 1, output: '' });
  expect(changesQuery(['DEBTOR_CHANGED'], 'name labels { name }')).toBe(document);
});

describe('changes misses nothing', () => {
  const args = ['--kinds', 'DEBTOR_CHANGED', '--fields', 'name'];
  const namesOf = (lines: readonly { record: { name: string } }[]) => lines.map(({ record }) => record.name);

  async function startService() {
    const rest = await startRest();
    return { rest, env: { REST_URL: rest.url, CHANGES_POLL_MS: '100', CHANGES_LOOKBACK_MS: '1000' } };
  }

  async function startServer(env: Record<string, string>) {
    const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []));
    onTestFinished(() => running.stop());
    return running;
  }

  // Only a process can be killed; one that is stopped ends as `stop` does.
  test.each(['stopped', 'killed'])('if the gateway is %s and then starts again', async (what) => {
    const { rest, env } = await startService();
    const first = what === 'killed' ? await startProcess(env) : await startServer(env);
    const url = new URL('/graphql', first.url);
    const changes = startChanges(url.href, args);
    await changes.isConnected();
    rename(rest, 0, 'Before');
    await eventually(() => expect(namesOf(changes.lines())).toEqual(['Before']));
    if ('stop' in first) await first.stop();
    else {
      first.child.kill('SIGKILL');
      await first.exit;
    }
    rename(rest, 1, 'Between');
    await startServer({ ...env, PORT: url.port });
    await eventually(() => expect(namesOf(changes.lines())).toEqual(['Before', 'Between']));
    expect(changes.errors()).toMatch(/Retrying in \d+ s\.\n(.*\n)*Connected\.\n$/);
  });
});
