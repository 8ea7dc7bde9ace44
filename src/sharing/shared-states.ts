import { EventEmitter } from 'node:events';
import type { RedisLink } from './redis-link.ts';
import type { SharedStates } from './refresh-protocol.ts';

/** How long a move that could not be made is tried again. */
const RETRY_MS = 3_600_000;

/**
 * KEYS: the state. ARGV: the channel to tell, or nothing; the new state, or nothing for none; its life; the states that
 * it replaces. Publishing comes first, so that a script that fails has changed nothing.
 */
export const MOVE = `
local state = redis.call('GET', KEYS[1]) or ''
for index = 4, #ARGV do
  if state == ARGV[index] then
    if ARGV[1] ~= '' then redis.call('PUBLISH', ARGV[1], KEYS[1]) end
    if ARGV[2] == '' then
      redis.call('DEL', KEYS[1])
    else
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    end
    return ARGV[2]
  end
end
return state`;

/** The states in Redis; those who wait are told by a message when one is settled. */
export function createSharedStates(link: RedisLink, channel: string): SharedStates {
  const settled = new EventEmitter().setMaxListeners(0);
  link.subscribe(channel, (key) => void settled.emit(`settled ${key}`));

  async function move(key: string, from: readonly string[], to: string, lifeMs: number): Promise<string> {
    const told = /^(claimed|sent) /.test(to) ? '' : channel;
    return String(await link.run(MOVE, key, told, to, lifeMs, ...from));
  }

  function changed(key: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        settled.off(`settled ${key}`, wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      settled.once(`settled ${key}`, wake);
    });
  }

  async function moveEventually(...args: Parameters<typeof move>): Promise<void> {
    const until = performance.now() + RETRY_MS;
    while (await link.state.reconnected(until - performance.now())) {
      const isDone = await move(...args).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  return {
    move,
    changed,
    recovered: (milliseconds) => link.state.recovered(milliseconds),
    moveEventually: (...args) => void moveEventually(...args),
    now: () => performance.now(),
  };
}
