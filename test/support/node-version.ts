import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmScript } from '../../scripts/commands.mjs';

/** Downloads an exact version of Node, or the newest of a major version, from what npm's package `node` installs. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  const node = join(folder, 'package/bin/node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const name = `node-${process.platform}-${process.arch}@${version}`;
  const args = [npmScript(), 'pack', '--prefer-offline', name];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  await promisify(execFile)('tar', ['-xzf', stdout.trim(), 'package/bin/node'], { cwd: folder });
  rmSync(join(folder, stdout.trim()));
  return node;
}
