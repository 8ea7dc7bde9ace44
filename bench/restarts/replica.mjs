// @ts-check
import { join } from 'node:path';
import { startServer } from '../processes.mjs';

const args = [join(import.meta.dirname, '../../dist/main.js')];

/**
 * The built gateway as a process on a free port, once it is ready. `restart` starts another on the same port.
 * @param {Record<string, string>} env
 */
export async function startReplica(env) {
  let running = await startServer({ name: 'a replica', args, env: { ...env, PORT: '0' } });
  const { port } = running;
  return {
    port,
    /** SIGTERM, and its exit status. */
    async restart() {
      const status = await running.stop('SIGTERM');
      running = await startServer({ name: 'a replica', args, env: { ...env, PORT: port } });
      return status;
    },
    kill: () => running.stop(),
  };
}
