import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { changesQuery } from '../../src/cli/changes/query.ts';
import { demoCredentials } from '../../src/demo/applications.ts';
import { generateData } from '../../src/demo/data/generate.ts';
import { blocksOf } from '../docs/pages.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, freshGateway, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { compiledMain } from '../support/processes.ts';
import { describeWith, program } from '../support/requirements.ts';
import { makeFolder } from '../support/resources.ts';

const { text } = present(
  blocksOf('docs/recipes.md').find(({ language, text }) => language === 'sh' && text.includes('follow.py')),
);
const command = text.replaceAll('node dist/main.js', `'${process.execPath}' '${compiledMain}'`);
const COUNT = 600;

function smallData() {
  const data = generateData(Date.now());
  const some = <R extends { readonly administration_id: string }>(records: readonly R[]) =>
    records.filter((record) => record.administration_id === ADMINISTRATION).slice(0, COUNT);
  return {
    ...data,
    debtors: some(data.debtors),
    declarationLines: some(data.declarationLines),
  };
}

function makeCopyFolder(): string {
  const folder = makeFolder();
  copyFileSync(
    fileURLToPath(new URL('../docs/recipes/follow.py', import.meta.url)),
    join(folder, 'follow.py'),
  );
  return folder;
}

function startCopy(folder: string, { url }: TestGateway) {
  const env = {
    PATH: process.env.PATH,
    RECEIVABLES_URL: url,
    RECEIVABLES_TOKEN: demoCredentials.tokens.companyA,
  };
  // A group of its own, so that all of it can be killed.
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    process.kill(-present(child.pid), signal);
    await exit;
  };
  onTestFinished(() => kill('SIGKILL'));
  return kill;
}

/** Settled in the middle of the first copy: the tables alone take less of the log. */
async function isUnderWay(folder: string): Promise<void> {
  const log = join(folder, 'copy.db-wal');
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 200_000) await setTimeout(1);
}

/** Does not block this process, which has the gateway and the service too. */
async function python(folder: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-c', script], {
    cwd: folder,
    maxBuffer: 10_000_000,
  });
  return stdout;
}

async function rowsOf(folder: string, table: string): Promise<Record<string, unknown>> {
  const script = `import json, sqlite3; print(json.dumps(dict(sqlite3.connect("copy.db").execute("SELECT id, record FROM ${table}"))))`;
  const rows: Record<string, string | null> = JSON.parse(await python(folder, script));
  return Object.fromEntries(Object.entries(rows).map(([id, record]) => [id, record && JSON.parse(record)]));
}

/** Returns the current result of a query with the fields that the command selects. */
async function freshRows(
  { query }: TestGateway,
  list: 'debtors' | 'declarationLines',
): Promise<Record<string, unknown>> {
  const [, fields = ''] =
    new RegExp(`\\b${list.slice(0, -1)} \\{([^}]*)\\}`).exec(changesQuery(undefined, undefined)) ?? [];
  const answer = await query(
    `query ($a: ID!) { rows: ${list}(administrationId: $a, first: 1000) { nodes { ${fields} } } }`,
    { a: ADMINISTRATION },
  );
  const { data } = JSON.parse(answer.text);
  return Object.fromEntries(
    data.rows.nodes.map((node: { readonly internalId: string }) => [node.internalId, node]),
  );
}

describeWith(program('python3', 'python3'))('a copy in SQLite', () => {
  test('equals a fresh read after any number of kills', async () => {
    const data = smallData();
    const gateway = await freshGateway({
      rest: { data },
      gateway: { changesPollMs: 100, changesLookbackMs: 1_000 },
    });
    const folder = makeCopyFolder();
    const isCopied = () =>
      eventually(async () => {
        expect(await rowsOf(folder, 'debtors')).toEqual(await freshRows(gateway, 'debtors'));
        expect(await rowsOf(folder, 'declaration_lines')).toEqual(
          await freshRows(gateway, 'declarationLines'),
        );
      });
    const change = (round: number) => {
      const updated_at = new Date().toISOString();
      for (const [index, debtor] of data.debtors.entries())
        if (index % 10 === round) data.debtors[index] = { ...debtor, name: `Noëlle ${round} 👍`, updated_at };
      const line = present(data.declarationLines[round]);
      data.declarationLines[round] = { ...line, amount: `${round}.10`, updated_at };
      data.declarationLines.push({ ...line, id: `9000${round}`, updated_at });
    };

    // Most records changed long ago: what were lost of them would not come by itself.
    for (const round of [1, 2, 3]) {
      const kill = startCopy(folder, gateway);
      await isUnderWay(folder);
      change(round);
      await kill('SIGKILL');
      change(round + 3);
      // The last process that closes the database empties its log.
      await rowsOf(folder, 'debtors');
    }
    startCopy(folder, gateway);
    await isCopied();
    expect(Object.keys(await rowsOf(folder, 'debtors'))).toHaveLength(COUNT);
    expect(Object.keys(await rowsOf(folder, 'declaration_lines'))).toHaveLength(COUNT + 6);
  });
});
