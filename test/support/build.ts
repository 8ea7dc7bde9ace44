import { exec } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Tests run what is in the sources now, with its documentation: in their own process, or as a process of its own. */
export default async function buildAll(): Promise<void> {
  if (process.env.IS_BUILT) return;
  for (const script of ['compile', 'build:docs'])
    await promisify(exec)(`npm run --silent ${script}`, { cwd: root }).catch(({ stdout, stderr }) =>
      Promise.reject(new Error(`${stdout}${stderr}`)),
    );
}
