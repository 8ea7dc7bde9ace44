import { compare } from './compare.mjs';
import { startLoad } from './load/index.mjs';
import { stopAll } from './processes.mjs';
import { tableOf } from './report.mjs';
import { servers, startGateway, startSimulator } from './servers.mjs';
import { workloads } from './workloads/index.mjs';

const which = (process.argv[2] ?? 'ours').split(',');
const rounds = Number(process.argv[3] ?? 5);
const only = (process.argv[4] ?? '').split(',').filter(Boolean);
const simulator = await startSimulator(0);
const bench = { simulator, load: startLoad() };
const running = [];
for (const key of which) {
  const server = servers.find((s) => s.key === key);
  if (server.kind === 'ours') {
    running.push(
      await startGateway(
        { ...server, title: `base ${key}`, script: '../../trees/base/dist/main.js' },
        simulator.origin,
      ),
    );
    running.push(await startGateway({ ...server, title: `now ${key}` }, simulator.origin));
  } else running.push(await startGateway(server, simulator.origin));
}
for (const workload of workloads.filter(({ key }) => only.length === 0 || only.includes(key)))
  console.log(tableOf(workload, await compare(bench, running, workload, { rounds, seconds: 3 })));
await stopAll();
process.exit();
