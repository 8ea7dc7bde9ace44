// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';

/** The gateway under test has a core to itself; what surrounds it shares the other. */
export const GATEWAY_CORE = 0;
export const SURROUNDINGS_CORE = 1;

export const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).status === 0;

const START_MS = 60_000;
const GRACE_MS = 1_000;

/** @typedef {{ name: string, args: string[], core?: number, env?: Record<string, string>, cwd?: string }} Command */
/** @typedef {{ name: string, pid: number, origin: string, readyMs: number }} Running */

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
/** Those that are told to end before the bench does. @type {WeakSet<import('node:child_process').ChildProcess>} */
const expected = new WeakSet();
let stopping = false;

/**
 * Starts Node with a script on one core. Whoever ends before the bench does ends the bench.
 * @param {Command} command
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function startNode({ name, args, core, env, cwd }, stdio) {
  const pinned =
    canPin && core !== undefined ? ['taskset', '-c', String(core), process.execPath] : [process.execPath];
  const [file = '', ...before] = pinned;
  const child = spawn(file, [...before, ...args], {
    stdio,
    ...(cwd && { cwd }),
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  children.add(child);
  child.once('exit', (code, signal) => {
    children.delete(child);
    if (!stopping && !expected.has(child)) fail(new Error(`${name} ended by itself (${signal ?? code}).`));
  });
  return child;
}

/**
 * Starts a server and waits until it says where it listens.
 * @param {Command} command
 * @returns {Promise<Running>}
 */
export async function startServer(command) {
  const start = performance.now();
  const child = startNode(command, ['ignore', 'pipe', 'inherit']);
  const port = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${command.name} did not start in time.`)), START_MS);
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [, found] = said.match(/ready at http:\/\/[^\s:]+:(\d+)/) ?? [];
      if (!found) return;
      clearTimeout(late);
      said = '';
      resolve(found);
    });
  });
  const readyMs = performance.now() - start;
  return { name: command.name, pid: child.pid ?? 0, origin: `http://127.0.0.1:${port}`, readyMs };
}

/**
 * Ends one server, which may then end by itself.
 * @param {Running} server
 */
export async function stop({ pid }) {
  const child = [...children].find((one) => one.pid === pid);
  if (!child) return;
  expected.add(child);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Ends every process that was started here, by force where asking does not help. */
export async function stopAll() {
  stopping = true;
  await Promise.all(
    Array.from(children, async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(force);
    }),
  );
}

/** @param {Error} error */
async function fail(error) {
  console.error(`\nThe bench stops: ${error.message}`);
  await stopAll();
  process.exit(1);
}
