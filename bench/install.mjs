// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmScript } from '../scripts/commands.mjs';

/**
 * From a clone to the first answer: clones what is committed, and measures `npm ci`, and `npm start` until it has
 * answered an operation. `node bench/install.mjs [runs]`
 */
const runs = Number(process.argv[2] ?? 3);
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'install-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

for (let run = 0; run < runs; run += 1) {
  const clone = join(folder, String(run));
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const start = performance.now();
  execFileSync(process.execPath, [npmScript(), 'ci', '--loglevel', 'error'], { cwd: clone, stdio: 'ignore' });
  const installed = performance.now();
  await firstAnswer(clone);
  const answered = performance.now();
  rmSync(clone, { recursive: true });
  console.log(
    `npm ci ${seconds(installed - start)}, npm start to the first answer ${seconds(answered - installed)},`,
    `together ${seconds(answered - start)}`,
  );
}

/** @param {string} clone */
async function firstAnswer(clone) {
  const gateway = spawn(process.execPath, [npmScript(), 'start'], {
    cwd: clone,
    env: { ...process.env, PORT: '0', LOG: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(gateway, 'exit');
  let printed = '';
  gateway.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  while (!/is ready at \S+\s/.test(printed)) {
    await Promise.race([once(gateway.stdout, 'data'), ended]);
    if (gateway.exitCode !== null) throw new Error(`The gateway did not start: ${printed}`);
  }
  const [, url = ''] = /is ready at (\S+)/.exec(printed) ?? [];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-token-company-a' },
    body: JSON.stringify({ query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }' }),
  });
  const { data } = await response.json();
  if (!data?.debtors.nodes[0].name) throw new Error('The first answer has no debtor.');
  gateway.kill();
  await ended;
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
