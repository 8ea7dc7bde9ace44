// @ts-check
/**
 * Restarts two replicas behind nginx in turn, under load. Ends with status 1 if a caller got a 502, a wrong response
 * or none, or if a mutation was made twice. It takes nginx (on Debian: apt-get install nginx-light).
 *
 *   npm run restarts -- [--restarts 10] [--callers 20] [--latency 5]
 */
import { parseArgs } from 'node:util';
import { hasNginx } from './nginx.mjs';
import { restartInTurn } from './rolling-restart.mjs';

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    callers: { type: 'string', default: '20' },
    latency: { type: 'string', default: '5' },
  },
});

if (!hasNginx) throw new Error('nginx is not installed; on Debian: apt-get install nginx-light');
const { answered, mutations, statuses, ...faults } = await restartInTurn({
  restarts: Number(values.restarts),
  callers: Number(values.callers),
  latencyMs: Number(values.latency),
});
console.log(`${statuses.length} restarts, ${answered} answered, ${mutations} of them mutations`, faults);
const isWell =
  Object.values(faults).every(({ length }) => length === 0) && statuses.every((status) => status === 0);
process.exitCode = isWell ? 0 : 1;
