import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from './pages.ts';

const drawn = execFileSync(process.execPath, [join(rootFolder, 'scripts/layers.mjs'), '--print'], {
  encoding: 'utf8',
});

test('the picture of the layers is current: else run npm run codegen', () => {
  expect(readFileSync(join(rootFolder, 'docs/layers.svg'), 'utf8') === drawn).toBe(true);
});

test('the picture of the layers shows whatever is imported, once', () => {
  const shown = Array.from(drawn.matchAll(/<g><title>(\S.*?): \d+<\/title>/g), ([, arrow = '']) => arrow);
  expect(shown).toContain('gateway/ → rest/');
  expect(shown).toEqual([...new Set(shown)]);
  expect(drawn).not.toMatch(/NaN|undefined/);
});
