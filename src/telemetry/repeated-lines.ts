import { compositeKey } from '../composite-key.ts';
import type { Details, Log } from './log.ts';

const PERIOD_MS = 10_000;
/** More than there can be of what no caller chooses; beyond, lines are left out. */
const MAX_KINDS = 200;

/** Warns of what may happen a thousand times a second: of what is alike once, and every ten seconds how often it was. */
export function createRepeatedLines(log: Log) {
  const allAlike = new Map<string, { readonly write: (count: number) => void; unlogged: number }>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    for (const [key, alike] of allAlike) {
      if (alike.unlogged === 0) allAlike.delete(key);
      else alike.write(alike.unlogged);
      alike.unlogged = 0;
    }
    if (allAlike.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Those with the same message and the same `by` are alike. */
    add(message: string, by: { readonly [name: string]: string }, more: Details = {}): void {
      const key = compositeKey(message, ...Object.values(by));
      const known = allAlike.get(key);
      if (known) {
        known.unlogged += 1;
        return;
      }
      if (allAlike.size >= MAX_KINDS) return;
      const write = (count?: number) => log('warn', message, { ...by, ...more, count });
      allAlike.set(key, { write, unlogged: 0 });
      write();
      timer ??= setInterval(flush, PERIOD_MS).unref();
    },
    flush,
  };
}
