import { inspect } from 'node:util';
import { type Config, ConfigError, readConfig } from '../config/index.ts';
import { RESOURCES } from '../schema/index.ts';
import { serve } from '../server/serve.ts';
import { getSafeDetails, logToStderr } from '../telemetry/log.ts';
import { findMisspelledSettings, loadEnvironment, type Runner } from './arguments.ts';
import { logStartup } from './greeting.ts';

export const runServe: Runner<'serve'> = async ({ values }, context) => {
  const loaded = loadEnvironment(context.env, values['env-file']);
  try {
    const isTerminal = context.stdout.isTTY === true;
    const config = readConfig(loaded.env, RESOURCES, { isTerminal, isServer: true });
    for (const hint of config.logLevel === 'off' ? [] : findMisspelledSettings(loaded)) {
      if (config.logFormat === 'pretty') console.error(hint);
      else logToStderr('warn', hint);
    }
    await start(config);
    return 0;
  } catch (error) {
    // If a setting can fix the problem, print a message; otherwise the error with its stack.
    const problem = error instanceof ConfigError ? error.message : listenProblem(error);
    context.stderr.write(`${problem ?? inspect(error)}\n`);
    // Exit, since parts that have started would keep the process alive.
    context.exit(1);
    return 1;
  }
};

async function start(config: Config): Promise<void> {
  const starting = serve(config);
  /** A forgotten timer or connection would keep a stopped process alive until its supervisor kills it. */
  const stopAndExit = async () => {
    await (await starting).stop();
    process.exit(0);
  };
  // Registered first, since a signal may follow the ready message at once. SIGHUP: the terminal is gone.
  onStopSignal(stopAndExit, () => process.exit(1), 'SIGHUP');
  const running = await starting;
  // The state is undefined after an uncaught error. Its message may hold a caller's data, and is not logged.
  process.on('uncaughtException', async (error: unknown) => {
    logToStderr('error', 'uncaught fault', getSafeDetails(error));
    await running.endLog();
    process.exit(1);
  });
  void logStartup(running, config, { pid: process.pid });
}

/** Some senders, such as `timeout`, signal a process and then its group: both count as one signal. */
const TOGETHER_MS = 100;

/** The first signal lets running operations finish; the second ends the process at once. `more` are further signals. */
function onStopSignal(stop: () => unknown, stopAtOnce: () => unknown, ...more: string[]): void {
  let since: number | undefined;
  const receive = () => {
    if (since === undefined) stop();
    since ??= performance.now();
    if (performance.now() - since > TOGETHER_MS) stopAtOnce();
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', ...more]) process.on(signal, receive);
}

export function listenProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  return error.code === 'EADDRINUSE' && 'port' in error
    ? `Port ${error.port} is already in use (${error.code}). Set PORT or ADMIN_PORT to another port.`
    : `${error.message}. Check HOST and PORT.`;
}
