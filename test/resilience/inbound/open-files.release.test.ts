import { expect } from 'vitest';
import { startProcess } from '../../support/processes.ts';
import { post } from '../../support/requests.ts';
import { program, testWith } from '../../support/requirements.ts';
import { openConnection } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

// A process of its own, since the limit holds for a whole process.
testWith(program('prlimit', 'util-linux'))(
  'idle connections do not use up the files that a process may open',
  async () => {
    const gateway = await startProcess(
      {},
      {
        before: `import { execFileSync } from 'node:child_process';
          execFileSync('prlimit', ['--pid=' + process.pid, '--nofile=200:']);`,
      },
    );
    await Promise.all(times(300, () => openConnection(gateway.url)));
    expect(await post(gateway.url, '{ __typename }')).toBe(200);
  },
);
