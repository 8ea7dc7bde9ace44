import { ConfigError, readConfig } from '../config.ts';
import { logLine } from '../log.ts';
import { schema } from '../schema/index.ts';
import { resourcesOf } from '../schema/resources.ts';
import { type Running, serve } from '../serve.ts';
import { listenProblem } from './listen-problem.ts';

export async function serveUntilStopped(): Promise<void> {
  exitOnUncaughtException();
  try {
    const running = await start();
    stopOnSignal(running);
    console.log(running.greeting);
  } catch (error) {
    // What a setting can mend is said in words; any other error is printed with its stack.
    console.error(error instanceof ConfigError ? error.message : (listenProblem(error) ?? error));
    process.exit(1);
  }
}

async function start(): Promise<Running> {
  const config = readConfig(process.env, resourcesOf(schema));
  return serve(config, new URL('../graphiql/', import.meta.url));
}

/**
 * The first signal lets running operations finish; the second ends the process at once. It exits by itself in the end,
 * since a forgotten timer or connection would keep a stopped process alive until its supervisor kills it.
 */
function stopOnSignal(running: Running): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await running.stop();
    process.exit(0);
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGBREAK', stop);
}

/**
 * After an uncaught exception the state is undefined, so the process exits. Only the error's name is logged, since its
 * message may contain a caller's data.
 */
function exitOnUncaughtException(): void {
  process.on('uncaughtException', (error: unknown) => {
    logLine('error', 'uncaught fault', { error: error instanceof Error ? error.name : typeof error });
    process.exit(1);
  });
}
