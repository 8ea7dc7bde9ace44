import { ConfigError, readConfig } from './config.ts';
import { schema } from './schema/index.ts';
import { resourcesOf } from './schema/resources.ts';
import { type Running, serve } from './serve.ts';

const GRACE_MS = 10_000;

async function start(): Promise<Running> {
  const config = readConfig(process.env, resourcesOf(schema));
  return serve(config, new URL('graphiql/', import.meta.url));
}

try {
  const running = await start();
  console.log(running.greeting);
  const stop = () => {
    process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));
    void running.stop(GRACE_MS);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  // A bad configuration or a taken port is told in a sentence; anything else deserves its stack.
  const foreseen = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  console.error(foreseen ? error.message : error);
  process.exitCode = 1;
}
