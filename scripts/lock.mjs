// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Gives each package of package-lock.json the path of its archive, at a host that does not exist: .npmrc lets npm put the
 * registry of the machine in its place. Without the path, `npm ci` reads the list of all versions of each package first,
 * which takes as long as everything else. Run it after each change of the dependencies.
 */
const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const [path, entry] of Object.entries(lock.packages)) {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0 || entry.link) continue;
  const name = entry.name ?? path.slice(at + 'node_modules/'.length);
  const { version, resolved: _, ...rest } = entry;
  const archive = `${name.replace(/^.*\//, '')}-${version}.tgz`;
  lock.packages[path] = { version, resolved: `https://registry.invalid/${name}/-/${archive}`, ...rest };
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
