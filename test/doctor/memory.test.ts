import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { checkMemory } from '../../src/doctor/configuration.ts';
import { memoryLimits } from '../../src/limits/memory-limits.ts';

test.each([
  ['the defaults', {}, 2_000, 'passed'],
  ['the defaults in a small heap', {}, 256, 'warned'],
  ['a smaller answer there', { MAX_ANSWER_BYTES: '8000000' }, 256, 'passed'],
  ['an answer as large as all memory', { MAX_ANSWER_BYTES: '500000000' }, 4_000, 'warned'],
])('doctor looks at the memory for %s', (_what, env, heapMegabytes, outcome) => {
  const finding = checkMemory(readConfig(env, []), memoryLimits(heapMegabytes * 1e6));
  expect(finding.outcome).toBe(outcome);
  expect(finding.advice !== undefined).toBe(outcome === 'warned');
});
