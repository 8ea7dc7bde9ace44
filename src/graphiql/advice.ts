import type { Answer, AnswerError } from './answer.ts';

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

/** Where the page has nothing to add, what the gateway says first; undefined where there are no errors. */
export function adviceOn({ errors = [] }: Answer, isCredentialOfTab: boolean): Advice | undefined {
  const advice = errors.map((error) => adviceOnError(error, isCredentialOfTab)).find(Boolean);
  return advice ?? errors.map(({ message }) => ({ text: message, strip: null }))[0];
}

function adviceOnError(error: AnswerError, isCredentialOfTab: boolean): Advice | null {
  const { message, path: [field] = [], extensions: { code, upstream } = {} } = error;
  if (code === 'BAD_REQUEST' && message.startsWith('`query` is missing'))
    return { text: 'Write a query, or pick one from “Examples”.', strip: null };
  if (code === 'BAD_USER_INPUT' && message.startsWith('`administrationId` takes no empty id'))
    return { text: 'Choose an administration at the top.', strip: 'Choose an administration.' };
  if (/administrationId\W.* is required/.test(message))
    return {
      text: `${message} Or declare \`$administrationId: ID!\`: the box at the top fills it.`,
      strip: null,
    };
  if (code === 'NOT_CONFIGURED') return NEEDS_APPLICATION;
  if (code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') return null;
  const isMissing = message.startsWith('Send the header');
  // The gateway says why something was refused; what is missing is said here.
  const advise = (todo: string, strip: string | null = null) => ({
    text: isMissing ? todo : `${message} ${todo}`,
    strip,
  });
  if (isCredentialOfTab)
    return advise(
      'The headers of this tab take the place of the token at the top: change them below the query.',
    );
  // Of a token that is not active, the service says so without an error.
  const isOfViewer = field === 'viewer' && upstream !== undefined;
  const isOfApplication = isOfViewer || APPLICATION_FIELDS.includes(String(field));
  if (isOfApplication && isMissing) return NEEDS_APPLICATION;
  if (isOfApplication)
    return advise(
      'Check the client id and secret under “Application” at the top.',
      'Application not accepted: is the client id or secret mistyped?',
    );
  if (code === 'FORBIDDEN')
    return advise(
      'If it names an address, put that on the allow list of the application first: a token from elsewhere is revoked. Otherwise choose another administration at the top, or in the query if it names one, or paste another access token.',
      'Not allowed: the answer says why.',
    );
  if (isMissing) return advise('Paste an access token into the box at the top.');
  return advise(
    'Paste another access token into the box at the top.',
    'Token not accepted: mistyped, expired, or of another application?',
  );
}
