import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite would take graphql's ES module build, and Node takes the other: two copies of its classes.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/browser/setup.ts'],
    testTimeout: 15_000,
    // Files share no changing state, and importing everything anew for each takes longer than its tests.
    isolate: false,
    maxWorkers: 2,
  },
});
