import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** `npm run test:long` runs random searches with many more cases, and crowds. */
const long = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) => /fast-check|support\/search|env\.SEARCH/.test(readFileSync(path, 'utf8')));

/** `npm run test:release` runs tests that need a browser, other programs, or many processes. */
const release = ['test/release/**/*.test.ts', 'test/**/*.release.test.ts'];

const require = createRequire(import.meta.url);
const sources = `${join(import.meta.dirname, 'src')}/`;

/**
 * Tests run what is compiled and shipped, loaded by Node itself: transforming the sources for each worker would take
 * longer than most tests. GraphiQL alone, which has a build of its own, is taken from its sources.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return;
    const path = resolve(dirname(importer), source);
    if (!path.startsWith(sources) || path.startsWith(`${sources}graphiql/`) || !path.endsWith('.ts')) return;
    return {
      id: path.replace(sources, `${join(import.meta.dirname, 'dist')}/`).replace(/ts$/, 'js'),
      external: true,
    };
  },
};

/** Starts the tests of one caller first, since they take longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => moduleId.endsWith('/test/one-caller.test.ts');
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  }
}

export default defineConfig(({ mode }) => ({
  plugins: [compiled],
  // Vite would take graphql's ES module build, and Node takes the other: two copies of its classes.
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }] },
  test: {
    include: { long, release }[mode] ?? ['test/**/*.test.ts'],
    exclude: ['long', 'release'].includes(mode) ? [] : release,
    env: { SEARCH: mode === 'long' ? 'long' : 'short' },
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    setupFiles: ['test/support/search.ts', 'test/support/stacks.ts'],
    globalSetup: [
      'test/support/build.ts',
      ...(mode === 'release' ? ['test/support/find-browser.ts', 'test/release/dashboard-build.ts'] : []),
    ],
    // Only to end what hangs: on a busy machine a process takes seconds to start.
    testTimeout: mode === 'long' ? 1_800_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Files share no mutable state, and importing everything again for each takes longer than its tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Use the flag of `npm start`: most of what a test makes is garbage at once.
    execArgv: ['--max-semi-space-size=64'],
    // One more than there are processors: many tests wait for a process, a browser or a timeout. Each worker loads all
    // modules for itself, and a browser, so that more of them take longer.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []), new SkippedTests()],
  },
}));
