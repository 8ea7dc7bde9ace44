import { randomBytes } from 'node:crypto';
import type { RedisLink } from './redis-link.ts';

/** The local cache, whose credentials are known by hashes that all replicas share. */
export interface LocalCache {
  drop(credential: string): void;
  dropAll(): void;
}

const ALL = '*';

/**
 * Drops what a credential has read at all replicas when it writes or is rejected at one. Messages may be missed while
 * Redis is lost, so everything is dropped when it is lost, before the cache works as it does without Redis, and again
 * when it is back; a replica that could not tell the others of a change then makes them drop everything, too.
 */
export class Invalidations {
  readonly #link: RedisLink;
  readonly #channel: string;
  /** Of this replica, which has dropped by itself what it tells others to drop. */
  readonly #sender = randomBytes(12).toString('base64url');
  #hasUntold = false;

  constructor(link: RedisLink, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  keepInStep(cache: LocalCache): void {
    this.#link.subscribe(this.#channel, (message) => {
      const [sender, credential = ''] = message.split(' ');
      if (sender === this.#sender) return;
      if (credential === ALL) cache.dropAll();
      else cache.drop(credential);
    });
    this.#link.state.onChange((state) => {
      cache.dropAll();
      if (state !== 'connected' || !this.#hasUntold) return;
      this.#hasUntold = false;
      void this.tell(ALL);
    });
  }

  /** Resolves once Redis has passed it on, or could not; at most 50 ms later. */
  async tell(credential: string): Promise<void> {
    try {
      await this.#link.command('PUBLISH', this.#channel, `${this.#sender} ${credential}`);
    } catch {
      this.#hasUntold = true;
    }
  }
}
