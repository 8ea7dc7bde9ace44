import { isRecord, parseJson } from './json.ts';

/** What the page itself has to say about an answer. */
export interface AnswerNotes {
  /** What the user can do here about its errors. */
  readonly advice: string | null;
  /** How long it took; null for an event of a stream. */
  readonly timing: string | null;
}

const NONE: AnswerNotes = { advice: null, timing: null };
const MEMBER = 'graphiql';

/** Of an answer, GraphiQL keeps nothing but its text, with its tab. So the notes travel in its extensions. */
export function annotate<T extends Record<string, unknown>>(answer: T, notes: AnswerNotes): T {
  const extensions = isRecord(answer.extensions) ? answer.extensions : {};
  return { ...answer, extensions: { ...extensions, [MEMBER]: notes } };
}

export function notesOf(response: string): AnswerNotes {
  const body = parseJson(response);
  const notes = isRecord(body) && isRecord(body.extensions) ? body.extensions[MEMBER] : undefined;
  if (!isRecord(notes)) return NONE;
  return { advice: textOrNull(notes.advice), timing: textOrNull(notes.timing) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The response as the gateway sent it, laid out as GraphiQL does; without `extensions.explain` if that is not asked for. */
export function displayedText(response: string, isExplainShown: boolean): string {
  const body = parseJson(response);
  if (!isRecord(body) || !isRecord(body.extensions)) return response;
  const { [MEMBER]: notes, explain, ...others } = body.extensions;
  const extensions = isExplainShown && explain !== undefined ? { ...others, explain } : others;
  const isLeftOut = notes !== undefined && Object.keys(extensions).length === 0;
  return JSON.stringify({ ...body, extensions: isLeftOut ? undefined : extensions }, null, 2);
}
