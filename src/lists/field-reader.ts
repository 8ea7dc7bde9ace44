import {
  MAX_TEXT_BYTES,
  type PlainShape,
  readValue,
  type Value,
  type ValueOptions,
} from './record-fields.ts';

/** How many characters of one record are compared, in all its fields together: they are folded in one go. */
export const MAX_RECORD_LENGTH = 100_000;

/** What is left of them. */
export interface TextRoom {
  left: number;
}

/**
 * Reads the values of one field. All conditions on it share one, so that what a record has is read and folded once for
 * all of them, also where it stands in a list.
 */
export class FieldReader {
  readonly #shape: PlainShape;
  readonly #name: string;
  readonly #options: ValueOptions;
  readonly #room: TextRoom;
  readonly #values = new Map<unknown, Value | null>();

  constructor(shape: PlainShape, name: string, options: ValueOptions, room: TextRoom) {
    this.#shape = shape;
    this.#name = name;
    this.#options = options;
    this.#room = room;
  }

  /** A value as it is compared: a text is folded. */
  read(raw: unknown): Value | null {
    let value = this.#values.get(raw);
    if (value === undefined) {
      value = readValue(this.#shape, raw, this.#name, this.#options);
      if (this.#shape.kind === 'text' && value !== null) value = this.#fold(String(value));
      this.#values.set(raw, value);
    }
    return value;
  }

  #fold(text: string): string | null {
    this.#room.left -= text.length;
    if (this.#room.left >= 0) {
      const folded = this.#options.rules.fold(text);
      // Some letters become twenty.
      if (folded.length <= MAX_TEXT_BYTES) return folded;
    }
    this.#options.onUnreadable(this.#name);
    return null;
  }

  /** Makes room for those of the next record. */
  forget(): void {
    this.#values.clear();
  }
}
