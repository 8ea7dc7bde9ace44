import { inspect } from 'node:util';
import { type Config, ConfigError, readConfig } from '../config/index.ts';
import { RESOURCES } from '../schema/index.ts';
import { logStartup, onStopSignal, serve } from '../server/serve.ts';
import { getSafeDetails, logToStderr } from '../telemetry/log.ts';
import { findMisspelledSettings, loadEnvironment, type Runner } from './arguments.ts';

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

export function listenProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  return error.code === 'EADDRINUSE' && 'port' in error
    ? `Port ${error.port} is already in use (${error.code}). Set PORT or ADMIN_PORT to another port.`
    : `${error.message}. Check HOST and PORT.`;
}
