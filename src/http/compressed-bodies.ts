/** The compressed bodies of a cached response, each compressed once. */
export class CompressedBodies {
  readonly #bodies = new Map<string, Promise<Buffer | undefined>>();
  readonly #onGrowth: (bytes: number) => void;

  /** `onGrowth` is called with the size of each body. */
  constructor(onGrowth: (bytes: number) => void = () => {}) {
    this.#onGrowth = onGrowth;
  }

  /** If compression fails, the next request tries again. */
  async getOrCreate(name: string, create: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    let body = this.#bodies.get(name);
    if (body === undefined) {
      body = create();
      this.#bodies.set(name, body);
      const created = await body.catch(() => undefined);
      if (created === undefined) this.#bodies.delete(name);
      else this.#onGrowth(created.length);
    }
    return body;
  }
}
