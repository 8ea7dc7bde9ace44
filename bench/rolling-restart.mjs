// @ts-check
/**
 * Restarts two replicas behind nginx in turn, under load. Ends with status 1 if a caller got a 502, a wrong answer or
 * none, or if a mutation was made twice. It takes nginx (on Debian: apt-get install nginx-light).
 *
 *   node bench/rolling-restart.mjs [--restarts 10] [--callers 20] [--latency 5] [--pause 0]
 */
import { parseArgs } from 'node:util';
import { hasNginx } from './restarts/nginx.mjs';
import { restartInTurn } from './restarts/rolling-restart.mjs';

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    callers: { type: 'string', default: '20' },
    latency: { type: 'string', default: '5' },
    pause: { type: 'string', default: '0' },
  },
});

if (!hasNginx) {
  console.error('nginx is not installed; on Debian: apt-get install nginx-light');
  process.exit(1);
}
const { wrong, lost, madeTwice, neverMade, statuses, nginxErrors, ...counts } = await restartInTurn({
  restarts: Number(values.restarts),
  callers: Number(values.callers),
  latencyMs: Number(values.latency),
  pauseMs: () => Math.random() * Number(values.pause),
});
const statusesText = [...new Set(statuses)].join(', ');
console.log(
  `${statuses.length} restarts, status ${statusesText}: ${counts.answered} answered, ${counts.mutations} of them mutations; ${counts.refused} refused, ${wrong.length} wrong, ${lost.length} lost, ${madeTwice.length} made twice, ${neverMade.length} answered but not made`,
);
for (const failure of [...wrong, ...lost, ...madeTwice, ...neverMade].slice(0, 10))
  console.log(`  ${failure}`);
const errors = nginxErrors.split('\n').filter((line) => line !== '' && !line.includes('Connection refused'));
for (const line of errors.slice(0, 10)) console.log(`  nginx: ${line}`);
const isWell =
  counts.refused + wrong.length + lost.length + madeTwice.length + neverMade.length === 0 &&
  statuses.every((status) => status === 0);
process.exitCode = isWell ? 0 : 1;
