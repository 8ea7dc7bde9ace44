import { getRedisAddress, openRedis } from '../../sharing/redis.ts';
import type { Report } from './report.ts';

/** A name that a user with limited rights may use. */
const NAME = 'receivables:doctor';
const COMMAND_MS = 2_000;

/** Checks that replicas can share through this Redis: that they can subscribe, write, and run a script. */
export async function checkRedis(url: string, report: Report): Promise<void> {
  const address = getRedisAddress(url);
  const problem = await new Promise<string | undefined>((resolve) => {
    const redis = openRedis({
      ...{ url, checkKey: NAME, channel: NAME, commandMs: COMMAND_MS, onMessage() {} },
      async onStateChange(state, problem) {
        if (state === 'connected')
          await redis.command('EVAL', "return redis.call('GET', KEYS[1])", 1, NAME).catch(() => {});
        redis.close();
        resolve(problem);
      },
    });
  });
  if (problem === undefined) report.passed('Redis', `replicas can share through ${address}`);
  else report.failed('Redis', `${address} cannot be used (${problem})`, getRedisAdvice(problem));
}

function getRedisAdvice(problem: string): string {
  if (problem === 'ioredis is not installed') return 'Install the optional dependency ioredis.';
  return /^E[A-Z]{3}/.test(problem)
    ? 'Check host and port in REDIS_URL.'
    : 'Check user and password in REDIS_URL, whether it needs TLS (rediss://), and what its user may do.';
}
