/** A worker that does not answer by then is stuck, and serves nobody meanwhile. */
const ANSWER_MS = 50;

/** Tells workers to drop what they have cached, and waits until they have. */
export class Drops<Member extends object> {
  readonly #waiting = new Map<number, { readonly missing: Set<Member>; readonly finish: () => void }>();
  #last = 0;

  tell(members: readonly Member[], send: (member: Member, id: number) => void): Promise<void> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(finish, ANSWER_MS);
      this.#waiting.set(id, { missing: new Set(members), finish });
      for (const member of members) send(member, id);
      if (members.length === 0) finish();
    });
  }

  acknowledge(id: number, member: Member): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.missing.delete(member) && waiting.missing.size === 0) waiting.finish();
  }

  /** The worker has ended. */
  forget(member: Member): void {
    for (const id of [...this.#waiting.keys()]) this.acknowledge(id, member);
  }
}
