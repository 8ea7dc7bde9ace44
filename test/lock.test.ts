import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const packages: [string, { link?: boolean; resolved?: string }][] = Object.entries(lock.packages);

test('the lock file has the path of each archive, and names no registry: else run node scripts/lock.mjs', () => {
  const installed = packages.filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const others = installed.filter(
    ([, { resolved }]) => !resolved?.startsWith('https://registry.invalid/') || !resolved.includes('/-/'),
  );
  expect(others.map(([path]) => path)).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});
