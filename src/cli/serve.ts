import { ConfigError, type Environment, readConfig } from '../config/index.ts';
import { schema } from '../schema/index.ts';
import { resourcesOf } from '../schema/resources.ts';
import { type Running, serve } from '../serve/serve.ts';
import { faultDetails } from '../telemetry/fault.ts';
import { logToStderr } from '../telemetry/log.ts';
import type { SettingsOptions } from './arguments.ts';
import { loadEnvironment } from './environment.ts';
import { listenProblem } from './listen-problem.ts';

export async function serveUntilStopped({ envFiles }: SettingsOptions): Promise<void> {
  const { env } = loadEnvironment(envFiles);
  let running: Running | undefined;
  exitOnUncaughtException(() => running?.flushLog());
  try {
    const starting = start(env);
    // Before it says that it is ready, since a signal may follow at once.
    stopOnSignal(starting);
    running = await starting;
  } catch (error) {
    // What a setting can mend is said in words; any other error is printed with its stack.
    console.error(error instanceof ConfigError ? error.message : (listenProblem(error) ?? error));
    process.exit(1);
  }
}

async function start(env: Environment): Promise<Running> {
  const config = readConfig(env, resourcesOf(schema), { isTerminal: process.stdout.isTTY });
  const builds = {
    graphiql: new URL('../graphiql/', import.meta.url),
    docs: new URL('../docs/', import.meta.url),
  };
  const running = await serve(config, builds);
  // A log for machines has a line of its own for the start.
  if (config.logLevel === 'off' || config.logFormat === 'pretty') console.log(running.greeting);
  return running;
}

/** The first signal lets running operations finish; the second ends the process at once. */
function stopOnSignal(starting: Promise<Running>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await (await starting).stop();
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGBREAK', stop);
}

/**
 * After an uncaught exception the state is undefined, so the process exits. Its message is not logged, since that may
 * contain a caller's data.
 */
function exitOnUncaughtException(flushLog: () => void): void {
  process.on('uncaughtException', (error: unknown) => {
    flushLog();
    logToStderr('error', 'uncaught fault', faultDetails(error));
    process.exit(1);
  });
}
