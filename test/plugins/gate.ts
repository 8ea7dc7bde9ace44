import type { Leaver, StartGroup, Turns } from '../../src/limits/start-queue.ts';

export interface Gate extends Turns {
  readonly waiting: { readonly owner: string; readonly group: StartGroup }[];
  /** Lets all go on that wait. */
  letIn(): void;
}

/** A queue in which everything waits until it is let in. */
export function gate(): Gate {
  const waiting: { readonly owner: string; readonly group: StartGroup; readonly start: () => void }[] = [];
  return {
    waiting,
    isFull: false,
    onConnection() {},
    enter: (owner: string, group: StartGroup, _client: Leaver) =>
      new Promise<void>((start) => waiting.push({ owner, group, start })),
    letIn() {
      for (const { start } of waiting.splice(0)) start();
    },
  };
}
