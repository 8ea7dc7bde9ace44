// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/**
 * The built gateway as a process on a free port, once it is ready. `restart` starts another on the same port.
 * @param {Record<string, string>} env
 */
export async function startReplica(env) {
  let { child, port } = await start({ ...env, PORT: '0' });

  /** SIGTERM, and its exit status. */
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [status] = await ended;
    return status;
  };

  return {
    port,
    stop,
    async restart() {
      const status = await stop();
      ({ child } = await start({ ...env, PORT: port }));
      return status;
    },
    /** Where it was not stopped. */
    kill: () => void child.kill('SIGKILL'),
  };
}

/** @param {Record<string, string>} env */
async function start(env) {
  const child = spawn(process.execPath, [main], {
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit').then(([status]) => {
    throw new Error(`The gateway ended with status ${status} before it was ready.`);
  });
  let printed = '';
  child.stdout.setEncoding('utf8');
  while (!printed.includes('is ready at ')) printed += await Promise.race([once(child.stdout, 'data'), exit]);
  exit.catch(() => {});
  child.stdout.resume();
  const [, port = ''] = /is ready at http:\/\/[^\s/]+:(\d+)/.exec(printed) ?? [];
  return { child, port };
}
