import { SharedLimit } from './places.ts';

/** What one operation holds, for its caller. */
export interface Holding {
  /** Takes more, or gives some back. */
  add(bytes: number): void;
  /** Releases all of it, for good. */
  release(): void;
}

/** Counts the bytes held for callers: bodies and REST answers until their operation has ended, answers until they are sent. */
export class ByteCounter extends SharedLimit {
  constructor(limit = 64_000_000) {
    super(limit);
  }

  /** `onFull` is called once, when there is no room for more of it and all of it has been released. */
  hold(owner: string, onFull: () => void, isRefusable: () => boolean = () => true): Holding {
    let held = 0;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.release(owner, held);
    };
    return {
      add: (bytes) => {
        if (isReleased) return;
        if (bytes <= 0) this.release(owner, -bytes);
        else if (!isRefusable()) this.take(owner, bytes);
        else if (!this.tryTake(owner, bytes)) {
          release();
          onFull();
          return;
        }
        held += bytes;
      },
      release,
    };
  }
}
