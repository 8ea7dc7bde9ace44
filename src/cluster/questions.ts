/** Questions to workers, each with one answer. Workers that end are not waited for, nor those that are stuck. */
export class Questions<Member extends object> {
  readonly #timeoutMs: number;
  readonly #open = new Map<number, { readonly missing: Set<Member>; readonly finish: () => void }>();
  #last = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with those that have not answered in time. */
  ask(members: readonly Member[], send: (member: Member, id: number) => void): Promise<ReadonlySet<Member>> {
    this.#last += 1;
    const id = this.#last;
    const missing = new Set(members);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(missing);
      };
      const timer = setTimeout(finish, this.#timeoutMs);
      this.#open.set(id, { missing, finish });
      for (const member of members) send(member, id);
      if (missing.size === 0) finish();
    });
  }

  answered(id: number, member: Member): void {
    const question = this.#open.get(id);
    if (question?.missing.delete(member) && question.missing.size === 0) question.finish();
  }

  /** The worker has ended. */
  forget(member: Member): void {
    for (const id of [...this.#open.keys()]) this.answered(id, member);
  }
}
