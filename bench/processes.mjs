// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';

/** The server under test has a core to itself; what surrounds it shares the other. */
export const SERVER_CORE = 0;
export const SURROUNDINGS_CORE = 1;

export const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).status === 0;

const START_MS = 60_000;

/** @typedef {{ name: string, args: string[], core?: number, env?: Record<string, string> }} Command */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Running */

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** Starts Node with a script on one core. A process that ends by itself ends the bench. @param {Command} command */
export function startNode({ name, args, core, env }) {
  const [file = '', ...before] = [
    ...(canPin && core !== undefined ? ['taskset', '-c', String(core)] : []),
    process.execPath,
    ...args,
  ];
  const child = spawn(file, before, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  children.add(child);
  child.once('exit', async (code, signal) => {
    if (!children.delete(child)) return;
    console.error(`\nThe bench stops: ${name} ended by itself (${signal ?? code}).`);
    await stopAll();
    process.exit(1);
  });
  return {
    child,
    /** Sends a message and gives the answer to it. @param {import('node:child_process').Serializable} message */
    async ask(message) {
      child.send(message);
      const [answer] = await once(child, 'message');
      return answer;
    },
  };
}

/** Starts a server and waits until it says where it listens. @param {Command} command */
export async function startServer(command) {
  const started = performance.now();
  const { child, ask } = startNode(command);
  const port = await new Promise((/** @type {(port: string) => void} */ resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${command.name} did not start in time.`)), START_MS);
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      // Read the rest of its output, a log, so that it never waits.
      if (said.length > 10_000) return;
      said += text;
      const [, found] = said.match(/ready at http:\/\/[^\s:]+:(\d+)/) ?? [];
      if (!found) return;
      clearTimeout(late);
      resolve(found);
    });
  });
  return {
    ask,
    started,
    port,
    origin: `http://127.0.0.1:${port}`,
    stop: (/** @type {NodeJS.Signals} */ signal = 'SIGKILL') => stop(child, signal),
  };
}

/**
 * Ends a process, and gives its exit status.
 * @type {(child: import('node:child_process').ChildProcess, signal?: NodeJS.Signals) => Promise<number | null>}
 */
async function stop(child, signal = 'SIGKILL') {
  children.delete(child);
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [status] = await ended;
  return status;
}

/** Ends every process that was started here. */
export async function stopAll() {
  await Promise.all(Array.from(children, (child) => stop(child)));
}
