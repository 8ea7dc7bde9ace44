import type { Config } from '../config/index.ts';
import { startEmbeddedService } from '../serve/serve.ts';
import { createLogger } from '../telemetry/log.ts';
import { version } from '../version.ts';
import { Primary } from './primary.ts';
import { EMBEDDED_URL, WORKER_MARK } from './run-worker.ts';

/** The primary as a process: it obeys signals, and ends when no worker can serve. */
export async function runPrimary({ workers, restUrl, logLevel, logFormat }: Config): Promise<void> {
  const logger = logLevel === 'off' ? undefined : createLogger(process.stdout, logFormat);
  const log = logger?.event ?? (() => {});
  const demo = restUrl === undefined ? await startEmbeddedService() : undefined;

  async function exit(status: number): Promise<never> {
    await logger?.end();
    process.exit(status);
  }

  const primary = new Primary({
    workers,
    log,
    env: { [WORKER_MARK]: '1', ...(demo && { [EMBEDDED_URL]: demo.url }) },
    onReady({ url, greeting }) {
      if (logger === undefined || logFormat === 'pretty') console.log(greeting);
      else log('info', `receivables-graphql is ready at ${url}`, { version, pid: process.pid, workers });
    },
    onFailure(reason) {
      console.error(reason);
      void exit(1);
    },
  });
  let isStopping = false;
  const stop = async () => {
    if (isStopping) {
      primary.kill();
      process.exit(1);
    }
    isStopping = true;
    log('info', 'stopping');
    await primary.stop();
    log('info', 'stopped');
    await exit(0);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGBREAK', stop);
  process.on('SIGHUP', () => void primary.replaceAll());
  primary.start();
}
