import { existsSync, readFileSync } from 'node:fs';

/** Modules are at different depths in src, in dist and in the bundle. */
function findPackage(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : findPackage(new URL('../', folder));
}

const root = findPackage(new URL('./', import.meta.url));

export const packageFile = (path: string): URL => new URL(path, root);

export const version: string = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version;
