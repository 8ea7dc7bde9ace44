import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freshGateway } from '../support/gateway.ts';
import { SECRET } from './support.ts';

test('an unreachable Redis is logged with its host and port, without its password', async () => {
  const lines: unknown[] = [];
  const redisUrl = 'redis://user:canary@127.0.0.1:1/2';
  await freshGateway({
    gateway: {
      sharing: { redisUrl, secret: SECRET },
      log: (level, message, details) => void lines.push({ level, message, ...details }),
    },
  });
  const line = { level: 'warn', message: 'redis lost', address: '127.0.0.1:1', reason: 'ECONNREFUSED' };
  await eventually(() => expect(lines).toEqual([line]));
});
