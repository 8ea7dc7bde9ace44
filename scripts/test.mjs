// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { scriptOf } from './commands.mjs';

/** `npm test`: the checks run beside the tests, which often wait. What they print comes last, where it is seen. */
const check = spawn(process.execPath, ['scripts/check.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
const checked = Promise.all([text(check.stdout), once(check, 'close')]);
const tests = [scriptOf('vitest', 'vitest'), 'run', ...process.argv.slice(2)];
const [testStatus] = await once(spawn(process.execPath, tests, { stdio: 'inherit' }), 'close');
const [printed, [checkStatus]] = await checked;
console.log(printed);
if (checkStatus !== 0) console.log('The checks have failed: see ✗ above.');
process.exitCode = testStatus || checkStatus || 0;
