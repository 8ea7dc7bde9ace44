/** Compressed forms of what is sent again and again: each is made once, whoever asks for it first. */
export class KeptForms {
  readonly #forms = new Map<string, Promise<Buffer | undefined>>();
  readonly #onGrowth: (bytes: number) => void;

  /** `onGrowth` is told what each form takes. */
  constructor(onGrowth: (bytes: number) => void = () => {}) {
    this.#onGrowth = onGrowth;
  }

  /** The form of this name. Where it could not be made, whoever asks next tries again. */
  async once(name: string, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    let form = this.#forms.get(name);
    if (form === undefined) {
      form = make();
      this.#forms.set(name, form);
      const made = await form.catch(() => undefined);
      if (made === undefined) this.#forms.delete(name);
      else this.#onGrowth(made.length);
    }
    return form;
  }
}
