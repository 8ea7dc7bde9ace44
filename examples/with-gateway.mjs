// Runs a command with GATEWAY_URL and GATEWAY_TOKEN set. Unless GATEWAY_URL is set already, starts a gateway with the
// embedded REST service on a free port, and stops it afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { scriptOf } from '../scripts/commands.mjs';
import '../scripts/stop-with-npm.mjs';

const [command = '', ...parameters] = process.argv.slice(2);
const gateway = process.env.GATEWAY_URL ? undefined : startGateway();
const env = { ...process.env, ...(gateway && (await whenReady(gateway))) };
// Either "node" or a command of a package that the example depends on.
const script = command === 'node' ? [] : [scriptOf(command, command, `${process.cwd()}/`)];
const program = spawn(process.execPath, [...script, ...parameters], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => program.kill());

try {
  const [status] = await once(program, 'exit');
  process.exitCode = status ?? 1;
} finally {
  gateway?.kill();
}

function startGateway() {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  return spawn(process.execPath, [main], {
    env: { PORT: '0', LOG: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads the greeting: the address, and a token that the embedded service accepts. */
async function whenReady({ stdout }) {
  let greeting = '';
  for await (const line of createInterface({ input: stdout })) {
    greeting += `${line}\n`;
    const [, GATEWAY_URL, GATEWAY_TOKEN] = /is ready at (\S+).*bearer token +(\S+)/s.exec(greeting) ?? [];
    if (GATEWAY_TOKEN) return { GATEWAY_URL, GATEWAY_TOKEN };
  }
  throw new Error('The gateway did not start: run "npm ci" in the folder above, which builds it.');
}
