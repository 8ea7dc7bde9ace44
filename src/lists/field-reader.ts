import { type PlainShape, readValue, type Value, type ValueOptions } from './record-fields.ts';

/** Reads the values of one field. All conditions on it share one: a record's value is read and folded once for all. */
export class FieldReader {
  readonly #shape: PlainShape;
  readonly #name: string;
  readonly #options: ValueOptions;
  #raw: unknown;
  #value: Value | null = null;
  #folded: string | undefined;

  constructor(shape: PlainShape, name: string, options: ValueOptions) {
    this.#shape = shape;
    this.#name = name;
    this.#options = options;
  }

  read(raw: unknown): Value | null {
    if (raw !== this.#raw) {
      this.#value = readValue(this.#shape, raw, this.#name, this.#options);
      this.#folded = undefined;
      this.#raw = raw;
    }
    return this.#value;
  }

  /** The text that was read last, folded. */
  get folded(): string {
    this.#folded ??= this.#options.rules.fold(String(this.#value));
    return this.#folded;
  }
}
