import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, most of it waiting for processes and browsers. */
const SLOW = [
  'test/cluster/workers',
  'test/resilience/shutdown/',
  'test/changes/histories',
  'test/tarball',
  'test/graphiql/',
  'test/examples/',
  'test/sharing/',
  'test/package',
  'test/start',
  'test/cli/doctor/',
  'test/resilience/isolation/',
];

/**
 * Starts the slow files first: else the last of them runs alone while the other workers have nothing left to do. Vitest
 * orders files by the time that they took, but on a fresh clone it does not know that yet.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOW.findIndex((part) => moduleId.replaceAll('\\', '/').includes(part));
      return index < 0 ? SLOW.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
