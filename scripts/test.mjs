// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { scriptOf } from './commands.mjs';

/** `npm test`: the checks run beside the tests, which often wait. Only what has failed is at the end, where it is seen. */
const check = spawn(process.execPath, ['scripts/check.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
const checked = Promise.all([text(check.stdout), once(check, 'close')]);
const tests = [scriptOf('vitest', 'vitest'), 'run', ...process.argv.slice(2)];
const [testStatus] = await once(spawn(process.execPath, tests, { stdio: 'inherit' }), 'close');
const [printed, [checkStatus]] = await checked;
console.log(
  checkStatus === 0 ? 'All checks have passed.' : `${printed}\nThe checks have failed: see ✗ above.`,
);
process.exitCode = testStatus || checkStatus || 0;
