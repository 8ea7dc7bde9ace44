import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { scriptOf } from '../../scripts/commands.mjs';
import { rootFolder } from '../docs/pages.ts';
import { fetchNode } from '../support/node-version.ts';

/** The version of Node with long-term support, which most users install. */
const LTS = '24';
/** These depend most on Node: the built gateway as a process, command lines, connections and streams. */
const PART = ['start', 'cli/config', 'cli/env-file', 'cli/options', 'config', 'library', 'streams', 'http'];

test(`a part of the tests passes on Node ${LTS}`, { timeout: 300_000 }, async ({ skip }) => {
  if (process.versions.node.startsWith(`${LTS}.`))
    return skip('another version of Node, as all tests run on it');
  const node = await fetchNode(LTS, `${rootFolder}node_modules/.cache/node-${LTS}`).catch((error: Error) => {
    if (process.env.CI) throw error;
    return skip(`Node ${LTS} from npm: ${error.message}`);
  });
  const { stdout } = await promisify(execFile)(
    node,
    [scriptOf('vitest'), 'run', ...PART.map((path) => `test/${path}`)],
    {
      cwd: rootFolder,
      // Do not compile again: this process uses the build.
      env: {
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
        HOME: process.env.HOME,
        IS_BUILT: 'yes',
      },
      maxBuffer: 10_000_000,
    },
  ).catch((error) => {
    throw Object.assign(error, { message: `${error.message}${error.stdout}` });
  });
  expect(Number(/Tests .*?(\d+) passed/.exec(stdout)?.[1])).toBeGreaterThan(200);
});
