import { badRequest, errorAnswer, RequestError, tooExpensive } from '../http/errors.ts';
import { bodyOf } from '../http/response-body.ts';
import type { Holding, SharedBudget } from '../limits/shared-budget.ts';
import { isObject, parseJson } from '../rest/json.ts';

/** Shorter answers are copied into one buffer: one write is faster than many. */
const MAX_COPIED_BYTES = 16_000;

const EVICTED = new RequestError(
  503,
  'OVERLOADED',
  'Too much is being read at once. Ask for less, or try again in a moment.',
);
const NOT_JSON = badRequest(
  'A plugin of this gateway answers this operation itself: send it alone, not in an array.',
);

interface Answer {
  readonly pieces: readonly Buffer[];
  readonly ownBytes: number;
}

interface ArrayAnswersOptions {
  readonly requestId: string;
  /** The memory budget that all operations share. */
  readonly operations: SharedBudget;
  /** The longest response. */
  readonly maxBytes: number;
}

/** Whose answer it is, and whether it tells of something written, so that it must not get lost. */
interface AnswerOf {
  readonly owner: string;
  readonly hasWritten: boolean;
}

/**
 * The answers to the operations of an array. Each counts for the memory of operations until the last one is there: one
 * that has to make room for others, or that makes the array too long, is an error in its place.
 */
export class ArrayAnswers {
  readonly #answers: Answer[];
  readonly #holdings: Holding[] = [];
  readonly #options: ArrayAnswersOptions;
  #length = 0;

  constructor(count: number, options: ArrayAnswersOptions) {
    this.#options = options;
    this.#answers = Array.from({ length: count }, () => ({ pieces: [], ownBytes: 0 }));
  }

  async set(index: number, response: Response, of: AnswerOf): Promise<void> {
    const answer = bodyOf(response) ?? (await readForeign(response));
    if (answer === undefined) return this.fail(index, NOT_JSON);
    const { operations, maxBytes } = this.#options;
    const length = lengthOf(answer.pieces);
    if (!of.hasWritten && this.#length + length > maxBytes) return this.fail(index, tooLong(maxBytes));
    this.#length += length;
    this.#answers[index] = answer;
    const evict = () => {
      this.#length -= length;
      this.fail(index, EVICTED);
    };
    const holding = operations.hold(of.owner, evict, () => !of.hasWritten);
    this.#holdings.push(holding);
    holding.add(answer.ownBytes);
  }

  fail(index: number, error: RequestError): void {
    const { body } = errorAnswer(error, this.#options.requestId);
    this.#answers[index] = { pieces: [body], ownBytes: body.length };
  }

  /** The JSON of the array. */
  join(): { readonly pieces: readonly Buffer[]; readonly ownBytes: number } {
    const pieces: Buffer[] = [];
    let ownBytes = this.#answers.length + 1;
    for (const answer of this.#answers) {
      pieces.push(Buffer.from(pieces.length === 0 ? '[' : ','), ...answer.pieces);
      ownBytes += answer.ownBytes;
    }
    pieces.push(Buffer.from(']'));
    return { pieces: lengthOf(pieces) > MAX_COPIED_BYTES ? pieces : [Buffer.concat(pieces)], ownBytes };
  }

  release(): void {
    for (const holding of this.#holdings) holding.release();
  }
}

function tooLong(maxBytes: number): RequestError {
  return tooExpensive(
    `The answers of this array have more than ${maxBytes} bytes together. Send fewer operations in one request.`,
  );
}

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The answer that a plugin has made; undefined if it is not the JSON of a result. */
async function readForeign(response: Response): Promise<Answer | undefined> {
  if (!/^application\/(graphql-response\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  const text = await response.text();
  const bytes = Buffer.from(text);
  return isObject(parseJson(text)) ? { pieces: [bytes], ownBytes: bytes.length } : undefined;
}
