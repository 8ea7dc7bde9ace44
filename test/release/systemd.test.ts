import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readDeploy } from '../deploy/support.ts';
import { root } from '../docs/pages.ts';
import { linter, testWith } from '../support/requirements.ts';
import { makeFolder } from '../support/resources.ts';

testWith(linter('systemd-analyze', 'systemd'))('systemd accepts the unit', () => {
  const file = join(makeFolder(), 'receivables-graphql@4001.service');
  // It looks whether the program is there, and the folder.
  const local = readDeploy('receivables-graphql@.service')
    .replace('/usr/bin/node', process.execPath)
    .replaceAll('/opt/receivables-graphql', fileURLToPath(root));
  writeFileSync(file, local);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
