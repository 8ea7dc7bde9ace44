import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { npmScript } from '../../scripts/commands.mjs';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { isNotAvailable, isOffline, npm, npmInstall, root } from '../support/npm.ts';

/** Downloading takes seconds, and a minute on a slow network. */
const PATIENCE_MS = 300_000;
/** The versions of Node that it has to run on, besides the one that runs the tests. */
const OTHER_VERSIONS = ['20.18.1', '22', '24'].filter(
  (version) => version.split('.')[0] !== process.versions.node.split('.')[0],
);

const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
const project = join(folder, 'project');
const main = join(project, 'node_modules/receivables-graphql/dist/main.js');
/** Why nothing could be installed. */
let offline: string | undefined;

beforeAll(async () => {
  mkdirSync(project);
  const [{ filename }] = JSON.parse(
    await npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  );
  try {
    await npmInstall(project, '--omit=dev', join(folder, filename));
  } catch (error) {
    if (process.env.CI || !isOffline(error)) throw error;
    offline = 'a network in which npm reaches its registry.';
  }
}, PATIENCE_MS);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the tarball, installed into an empty folder', () => {
  test('brings few packages, and nothing that has to be built', ({ skip }) => {
    skip(offline !== undefined, offline);
    const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(packages).length).toBeLessThan(80);
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages);
    expect(scripted.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  });

  test('is started by npx, and serves operations, health and GraphiQL', async ({ skip }) => {
    skip(offline !== undefined, offline);
    const npx = npmScript().replace(/npm-cli/, 'npx-cli');
    const url = await startUntilReady(process.execPath, [npx, 'receivables-graphql']);
    expect(await firstDebtor(url)).toBe('Noëlle IJzerman');
    expect(await (await fetch(new URL('/health', url))).text()).toBe('ok\n');
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, url))).headers.get('content-type')).toContain('javascript');
  });

  // Each is a download of 50 MB, which is too much for those who run the tests on their own machine.
  test.for(OTHER_VERSIONS)(
    'serves operations on Node %s',
    {
      timeout: PATIENCE_MS,
      skip: !process.env.CI,
      meta: { needs: 'another version of Node. Set CI=1, and they download it.' },
    },
    async (version, { skip }) => {
      const node = await fetchNode(version);
      if (node === undefined) return skip(`Node ${version}, which there is not for this machine.`);
      expect(await firstDebtor(await startUntilReady(node, [main]))).toBe('Noëlle IJzerman');
    },
  );

  test('serves operations without its optional dependencies', async ({ skip }) => {
    skip(offline !== undefined, offline);
    expect(existsSync(join(project, 'node_modules/ioredis'))).toBe(true);
    // As `npm prune --omit=optional` does, in a moment: what only they depend on is optional too.
    const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    for (const [path, { optional }] of Object.entries<{ optional?: boolean }>(packages))
      if (optional) rmSync(join(project, path), { recursive: true, force: true });
    expect(existsSync(join(project, 'node_modules/ioredis'))).toBe(false);
    expect(existsSync(join(project, 'node_modules/graphql-yoga'))).toBe(true);
    expect(await firstDebtor(await startUntilReady(process.execPath, [main]))).toBe('Noëlle IJzerman');
  });
});

/**
 * The program of another version of Node, out of the package with which npm's package `node` would bring it. To install
 * either takes three times as long, for the headers and documentation in it.
 */
async function fetchNode(version: string): Promise<string | undefined> {
  const { platform, arch } = process;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const program = platform === 'win32' ? 'package/bin/node.exe' : 'package/bin/node';
  const place = join(folder, version);
  mkdirSync(place);
  try {
    const packed = await npm(place, 'pack', '--prefer-offline', `${name}@^${version}`);
    await promisify(execFile)('tar', ['-xzf', packed.trim(), program], { cwd: place });
    return join(place, program);
  } catch (error) {
    if (!isNotAvailable(error)) throw error;
    console.warn(`NO NODE ${version}: npm has no ${name} of it, so the tarball is not run with it.`);
    return undefined;
  }
}

/** Starts the gateway over its embedded service, and gives its address. It ends with the test. */
async function startUntilReady(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG: 'off' };
  // In a group of its own: npx starts a shell, and that the gateway.
  const child = spawn(program, args, { cwd: project, env, detached: true });
  onTestFinished(() => endGroup(child));
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const exit = once(child, 'exit');
  while (!/is ready at \S+\s/.test(printed)) {
    const [chunk] = await Promise.race([once(child.stdout, 'data'), exit]);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It did not start: ${printed}`);
    printed += chunk;
  }
  const [, url = ''] = /is ready at (\S+)/.exec(printed) ?? [];
  return url.replace('localhost', '127.0.0.1');
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null)
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

async function firstDebtor(url: string): Promise<string> {
  const query = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
  const headers = { 'content-type': 'application/json', ...BEARER };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data } = await response.json();
  return data.debtors.nodes[0].name;
}
