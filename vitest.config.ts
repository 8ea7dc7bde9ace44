import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite would take graphql's ES module build, and Node takes the other: two copies of its classes.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/browser/setup.ts',
      'test/examples/dashboard-build.ts',
    ],
    // Only to end what hangs: on a busy machine a process takes seconds to start.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files share no changing state, and importing everything anew for each takes longer than its tests.
    isolate: false,
    maxWorkers: 2,
  },
});
