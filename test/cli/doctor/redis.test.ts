import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { SECRET } from '../../sharing/support.ts';
import { ADMINISTRATION } from '../../support/gateway.ts';
import { describeWithRedis, startRedis } from '../../support/redis.ts';
import { startRest } from '../../support/resources.ts';
import { runDoctor, TOKEN } from './support.ts';

async function checkRedis(url: string) {
  const rest = await startRest();
  const args = ['--yes', '--administration', ADMINISTRATION];
  const env = { ...TOKEN, REDIS_URL: url, SHARING_SECRET: SECRET };
  const { status, output } = await runDoctor(rest, args, env);
  const [, finding] = /([✓✗] Redis .*?) [✓✗–!] /.exec(output.replace(/\s+/g, ' ')) ?? [];
  expect(output).not.toContain('canary');
  expect(output).toContain('✓ debtors');
  return { status, finding };
}

describeWithRedis('doctor', () => {
  test('reports whether Redis works, and checks the REST service in any case', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const address = `127.0.0.1:${redis.port}`;
    expect(await checkRedis(redis.url)).toEqual({
      status: 0,
      finding: `✓ Redis replicas can share through ${address}`,
    });
    expect(await checkRedis(`redis://user:canary@${address}`)).toEqual({
      status: 1,
      finding: expect.stringContaining(
        `✗ Redis ${address} cannot be used (WRONGPASS) → Check user and password`,
      ),
    });
    const client = new Redis(redis.url);
    await client.call(
      'ACL',
      'SETUSER',
      'some',
      'on',
      '>canary',
      '~receivables:*',
      '&receivables:*',
      '+@all',
      '-eval',
    );
    client.disconnect();
    expect(await checkRedis(`redis://some:canary@${address}`)).toEqual({
      status: 1,
      finding: expect.stringContaining(`✗ Redis ${address} cannot be used (NOPERM)`),
    });
    await redis.stop();
    expect(await checkRedis(redis.url)).toEqual({
      status: 1,
      finding: `✗ Redis ${address} cannot be used (ECONNREFUSED) → Check host and port in REDIS_URL.`,
    });
  });
});
