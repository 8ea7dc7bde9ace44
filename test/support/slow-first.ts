import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait for processes and browsers, the longest first. */
const WAITING = [
  'test/cluster/workers',
  'test/examples/',
  'test/docs/examples',
  'test/resilience/shutdown/',
  'test/graphiql/',
  'test/cli/changes/',
  'test/cli/export/',
  'test/cluster/sharing',
  'test/cli/doctor/',
  'test/sharing/',
  'test/start',
  'test/cli/',
];

/** Files that take a processor for seconds, the longest first. */
const COMPUTING = [
  'test/changes/histories',
  'test/resilience/isolation/',
  'test/execution/',
  'test/export/',
  'test/whole-list/',
];

/**
 * Starts the slow files first: else the last of them runs alone while the other workers have nothing left to do. Vitest
 * orders files by the time that they took, but on a fresh clone it does not know that yet. Files that wait take turns
 * with files that compute, so that at any time some of the workers use the processors.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = byRank(sorted, WAITING).filter((file) => isAmong(file, WAITING));
    const computing = byRank(sorted, COMPUTING).filter((file) => !isAmong(file, WAITING));
    const turns = Math.max(waiting.length, computing.length);
    return Array.from({ length: turns }, (_, turn) => [waiting[turn], computing[turn]])
      .flat()
      .filter((file) => file !== undefined);
  }
}

function byRank(files: readonly TestSpecification[], parts: readonly string[]): TestSpecification[] {
  const rank = (file: TestSpecification) => {
    const index = indexOf(file, parts);
    return index < 0 ? parts.length : index;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function isAmong(file: TestSpecification, parts: readonly string[]): boolean {
  return indexOf(file, parts) >= 0;
}

function indexOf({ moduleId }: TestSpecification, parts: readonly string[]): number {
  return parts.findIndex((part) => moduleId.replaceAll('\\', '/').includes(part));
}
