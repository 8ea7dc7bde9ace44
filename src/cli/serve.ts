import { ConfigError, readConfig } from '../config.ts';
import { logLine } from '../log.ts';
import { schema } from '../schema/index.ts';
import { resourcesOf } from '../schema/resources.ts';
import { type Running, serve } from '../serve.ts';

export async function serveUntilStopped(): Promise<void> {
  endOnFault();
  try {
    const running = await start();
    stopOnSignal(running);
    console.log(running.greeting);
  } catch (error) {
    // A bad configuration or a taken port is told in a sentence; anything else deserves its stack.
    const foreseen = error instanceof ConfigError || (error instanceof Error && 'code' in error);
    console.error(foreseen ? error.message : error);
    process.exit(1);
  }
}

async function start(): Promise<Running> {
  const config = readConfig(process.env, resourcesOf(schema));
  return serve(config, new URL('../graphiql/', import.meta.url));
}

/** The first signal lets what is under way finish; the second ends it. */
function stopOnSignal(running: Running): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await running.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

/** Nothing is known of the state after a fault that nobody foresaw, so the process ends. Its message may quote
 * a caller's data, so only its kind is told. */
function endOnFault(): void {
  process.on('uncaughtException', (error: unknown) => {
    logLine('error', 'uncaught fault', { error: error instanceof Error ? error.name : typeof error });
    process.exit(1);
  });
}
