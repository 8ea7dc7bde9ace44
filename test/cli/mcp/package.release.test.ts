import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rootFolder } from '../../docs/pages.ts';
import { makeFolder } from '../../support/resources.ts';

/** A process, since the command has to run where the package is not installed. */
test('mcp without its optional package names the package to install', async () => {
  const folder = makeFolder();
  for (const name of ['dist', 'package.json'])
    cpSync(join(rootFolder, name), join(folder, name), { recursive: true });
  const command = promisify(execFile)(process.execPath, [join(folder, 'dist/main.js'), 'mcp', '--embedded']);
  await expect(command).rejects.toMatchObject({
    code: 1,
    stderr: 'mcp needs an optional package. Run: npm install @modelcontextprotocol/server\n',
  });
});
