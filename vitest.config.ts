import { defineConfig } from 'vitest/config';
import { SkippedTests } from './test/support/skipped-tests.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** What `npm run test:long` runs: random searches with many more cases, and budgets filled to the brim. */
const LONG = [
  'test/cache/transparency.test.ts',
  'test/changes/histories.test.ts',
  'test/execution/execute.test.ts',
  'test/execution/random-schema.test.ts',
  'test/gateway/estimates.test.ts',
  'test/gateway/least-calls.test.ts',
  'test/gateway/max-calls.test.ts',
  'test/gateway/url-length.test.ts',
  'test/http/pipelines.test.ts',
  'test/lists/text-rules.test.ts',
  'test/resilience/inbound/fuzz.test.ts',
  'test/resilience/isolation/callers.test.ts',
  'test/whole-list/model.test.ts',
  'test/whole-list/pages.test.ts',
  'test/long/**/*.test.ts',
];

export default defineConfig(({ mode }) => ({
  // Vite would take graphql's ES module build, and Node takes the other: two copies of its classes.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include:
      mode === 'long' ? LONG : mode === 'release' ? ['test/release/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: mode === 'test' ? ['test/long/**', 'test/release/**'] : [],
    env: { SEARCH: mode === 'long' ? 'long' : 'short' },
    globalSetup: [
      'test/support/build.ts',
      'test/support/bundle.ts',
      'test/support/browser/setup.ts',
      'test/examples/dashboard-build.ts',
    ],
    // Only to end what hangs: on a busy machine a process takes seconds to start.
    testTimeout: mode === 'long' ? 1_800_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Files share no changing state, and importing everything anew for each takes longer than its tests.
    isolate: false,
    // As `npm start` does: most of what a test makes is garbage at once.
    execArgv: ['--max-semi-space-size=64'],
    // For two processors: many tests wait for a process, a browser or a timeout.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []), new SkippedTests()],
  },
}));
