import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/**
 * Tells at the end of a run which tests were skipped for lack of something, and how to get it; and at the very end,
 * which have failed.
 */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const failed = modules.flatMap((module) => [
      ...module.errors().map(() => module.relativeModuleId),
      ...[...module.children.allTests('failed')].map(
        (test) => `${module.relativeModuleId} > ${test.fullName}`,
      ),
    ]);
    const summary = summaryOf(skipped.flatMap((test) => reasonOf(test) ?? []));
    if (summary) console.log(summary);
    if (failed.length > 0) console.log(`Failed:\n  ${failed.join('\n  ')}\n`);
  }
}

/** Undefined for tests that were left out on purpose, as by `-t`. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let task: TestCase | TestSuite | TestModule = test; ; task = task.parent) {
    const { needs } = task.meta();
    if (needs !== undefined || task.type === 'module') return needs;
  }
}

function summaryOf(reasons: readonly string[]): string {
  const lines = Array.from(new Set(reasons), (reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return `  ${count === 1 ? '1 test needs' : `${count} tests need`} ${reason}`;
  });
  return lines.length > 0 ? `Skipped:\n${lines.join('\n')}\n` : '';
}
