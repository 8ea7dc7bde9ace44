import { isObject, parseJson } from '../rest/json.ts';
import type { WrittenOperation } from './list-argument.ts';
import { recordIn, textOrNull } from './send.ts';

/** Fields that take the client id and secret of an application instead of a token. */
export const APPLICATION_FIELDS = [
  'companies',
  'refreshAccessToken',
  'createClientCredentialsToken',
  'introspectToken',
];

/** What a user of this page can do about an error: the gateway's own words are for clients, which send headers. */
interface Advice {
  /** In full, beside the answer. */
  readonly text: string;
  /** In a few words, beside the boxes of the strip; null where those show it already. */
  readonly strip: string | null;
}

const NEEDS_APPLICATION: Advice = {
  text: 'This needs an application. Open “Application” at the top, and enter its client id and secret.',
  strip: 'This needs an application: enter its client id and secret.',
};

/** Null where the page has nothing to add. */
export function adviceOn(answer: unknown, isCredentialOfTab: boolean): Advice | null {
  const given = errorsIn(answer).map((error) => adviceOnError(error, isCredentialOfTab));
  return given.find((advice) => advice !== null) ?? null;
}

export function adviceOnError(error: AnswerError, isCredentialOfTab: boolean): Advice | null {
  const { message, field, code } = error;
  if (code === 'BAD_USER_INPUT' && message.startsWith('`administrationId` is empty'))
    return { text: 'Choose an administration at the top.', strip: 'Choose an administration.' };
  if (code === 'NOT_CONFIGURED') return NEEDS_APPLICATION;
  if (code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') return null;
  const isMissing = message.startsWith('Send the header');
  // The gateway says why something was refused; what is missing is said here.
  const advise = (todo: string, strip: string | null) => ({
    text: isMissing ? todo : `${message} ${todo}`,
    strip,
  });
  if (isCredentialOfTab)
    return advise(
      'The headers of this tab take the place of the token at the top: change them below the query.',
      null,
    );
  if (APPLICATION_FIELDS.includes(String(field)))
    return isMissing
      ? NEEDS_APPLICATION
      : advise(
          'Check the client id and secret under “Application” at the top.',
          'Application not accepted: is the client id or secret mistyped?',
        );
  if (code === 'FORBIDDEN')
    return advise(
      'Choose another administration at the top, or in the query if it names one, or paste another access token.',
      'Token not accepted for the administration of the query.',
    );
  if (isMissing) return advise('Paste an access token into the box at the top.', null);
  return advise(
    'Paste another access token into the box at the top.',
    'Token not accepted: mistyped, expired, or of another application?',
  );
}

export interface AnswerError {
  readonly message: string;
  readonly code: unknown;
  /** The first of its path. */
  readonly field: unknown;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export function errorsIn(body: unknown): AnswerError[] {
  if (!isObject(body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter(isObject).map((error) => {
    const { message, path } = error;
    const extensions = recordIn(error, 'extensions');
    const field: unknown = Array.isArray(path) ? path[0] : undefined;
    return { message: String(message), code: extensions.code, field, extensions };
  });
}

const MEMBER = 'graphiql';

/** Of an answer, GraphiQL keeps nothing but its text, with its tab. So the notes travel in its extensions. */
export function annotate<T extends Record<string, unknown>>(answer: T, notes: ReturnType<typeof notesOf>): T {
  return { ...answer, extensions: { ...recordIn(answer, 'extensions'), [MEMBER]: notes } };
}

/** What the page itself has to say about an answer. */
export function notesOf(response: string) {
  const notes = recordIn(recordIn(parseJson(response), 'extensions'), MEMBER);
  return {
    advice: textOrNull(notes.advice),
    /** None of an event of a stream. */
    timing: textOrNull(notes.timing),
    /** The chosen administration, if it was asked for that one. */
    administrationId: textOrNull(notes.administrationId),
    operation: isOperation(notes.operation) ? notes.operation : null,
  };
}

function isOperation(value: unknown): value is WrittenOperation {
  return isObject(value) && typeof value.query === 'string';
}

/** The response laid out as GraphiQL does: as the gateway sent it, or without what the panel of REST calls shows. */
export function displayedText(response: string, isRawShown: boolean): string {
  const body = parseJson(response);
  if (!isObject(body) || !isObject(body.extensions)) return response;
  const { [MEMBER]: notes, ...sent } = body.extensions;
  const { explain, cost, ...others } = sent;
  const extensions = isRawShown ? sent : others;
  const isLeftOut = Object.keys(body.extensions).length > 0 && Object.keys(extensions).length === 0;
  return JSON.stringify({ ...body, extensions: isLeftOut ? undefined : extensions }, null, 2);
}
