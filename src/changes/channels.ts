import type { Holding } from '../limits/shared-budget.ts';
import type { Fields } from '../rest/fields.ts';
import type { Subscriber } from './change.ts';
import { type Follower, Told } from './follower.ts';

/** What followers with the same selection share. */
interface Channel {
  readonly fields: Fields;
  readonly told: Told;
  /** Counts what is remembered. */
  readonly countTold: () => void;
  readonly holding: Holding;
}

/** The channels of a poller. */
export class Channels {
  readonly #caller: Subscriber;
  /** Called with a selection whose changes take too much memory. */
  readonly #onEvict: (selection: string) => void;
  readonly #bySelection = new Map<string, Channel>();

  constructor(caller: Subscriber, onEvict: (selection: string) => void) {
    this.#caller = caller;
    this.#onEvict = onEvict;
  }

  /** The followers of each channel. */
  membersOf(followers: readonly Follower[]): Map<Channel, Follower[]> {
    const members = new Map<Channel, Follower[]>();
    for (const follower of followers) {
      const channel = this.#channelOf(follower);
      const others = members.get(channel);
      if (others) others.push(follower);
      else members.set(channel, [follower]);
    }
    return members;
  }

  /** Closes those that nobody else follows. */
  keepThoseOf(followers: Iterable<Follower>): void {
    const used = new Set(Array.from(followers, ({ selection }) => selection));
    for (const [selection, { holding }] of this.#bySelection) {
      if (used.has(selection)) continue;
      holding.release();
      this.#bySelection.delete(selection);
    }
  }

  #channelOf({ selection, fields }: Follower): Channel {
    const known = this.#bySelection.get(selection);
    if (known) return known;
    const holding = this.#caller.hold(() => this.#onEvict(selection));
    const told = new Told();
    const countTold = () => holding.add(told.bytes - holding.amount);
    const channel = { fields, told, countTold, holding };
    this.#bySelection.set(selection, channel);
    return channel;
  }
}
