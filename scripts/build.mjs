// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** `npm run build`: GraphiQL beside the rest, since neither keeps two processors busy all the time. */
const outcomes = await Promise.all([
  run('graphiql.mjs'),
  run('compile.mjs').then((isCompiled) => isCompiled && run('docs.mjs')),
]);
if (outcomes.includes(false)) process.exitCode = 1;

/**
 * @param {string} script
 * @returns {Promise<boolean>} whether it succeeded; if not, it has printed why
 */
async function run(script) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  return status === 0;
}
