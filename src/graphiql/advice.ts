import type { Result, ResultError } from './result.ts';

/** Fields that need the client id and secret of an application instead of a token. */
export const APPLICATION_FIELDS = [
  'companies',
  'refreshAccessToken',
  'createClientCredentialsToken',
  'introspectToken',
];

/** How to fix an error on this page. The gateway's messages address API clients, which send headers. */
interface Advice {
  /** The full text, shown above the response. */
  readonly text: string;
  /** The short text for the credential bar; null if the bar needs none. */
  readonly summary: string | null;
}

const NEEDS_APPLICATION: Advice = {
  text: 'This needs an application. Open “Application” at the top and enter its client id and secret.',
  summary: 'This needs an application: enter its client id and secret.',
};

const NEEDS_TOKEN: Advice = { text: 'Paste an access token into the box at the top.', summary: null };

/** Where the token of a request comes from: the headers of its tab, or the credential bar. */
export type TokenSource = 'tab' | 'bar' | 'none';

/** Returns the first advice that the page has, or else the gateway's first message; undefined without errors. */
export function findAdvice({ errors = [] }: Result, source: TokenSource): Advice | undefined {
  const advice = errors.map((error) => getErrorAdvice(error, source)).find(Boolean);
  return advice ?? errors.map(({ message }) => ({ text: message, summary: null }))[0];
}

function getErrorAdvice(error: ResultError, source: TokenSource): Advice | null {
  const { message, path: [field] = [], extensions: { code, upstream } = {} } = error;
  if (code === 'BAD_REQUEST' && message.startsWith('`query` is missing'))
    return { text: 'Write a query, or choose one from “Examples”.', summary: null };
  if (code === 'BAD_USER_INPUT' && message.startsWith('`administrationId` must not be an empty id'))
    // Without a token, the page cannot list the administrations to choose from.
    return source === 'none'
      ? NEEDS_TOKEN
      : { text: 'Choose an administration at the top.', summary: 'Choose an administration.' };
  if (/administrationId\W.* is required/.test(message))
    return {
      text: `${message} Or declare \`$administrationId: ID!\`: the page fills it in from the box at the top.`,
      summary: null,
    };
  if (code === 'NOT_CONFIGURED') return NEEDS_APPLICATION;
  if (code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') return null;
  const isMissing = message.startsWith('Send the header');
  // The gateway explains a rejected credential, but for a missing one it names a header: only the remedy helps here.
  const advise = (remedy: string, summary: string | null = null) => ({
    text: isMissing ? remedy : `${message} ${remedy}`,
    summary,
  });
  if (source === 'tab')
    return advise('The headers of this tab override the token at the top: change them below the query.');
  // Only an application can be rejected for `viewer`: for a token, the service reports "inactive" without an error.
  const isApplicationError =
    (field === 'viewer' && upstream !== undefined) || APPLICATION_FIELDS.includes(String(field));
  if (isApplicationError && isMissing) return NEEDS_APPLICATION;
  if (isApplicationError)
    return advise(
      'Check the client id and secret under “Application” at the top.',
      'Application not accepted: is the client id or secret mistyped?',
    );
  if (code === 'FORBIDDEN')
    return advise(
      'If it names an address, put that on the allow list of the application first: a token from elsewhere is revoked. Otherwise choose another administration at the top, or in the query if it names one, or paste another access token.',
      'Not allowed: the response says why.',
    );
  if (isMissing) return NEEDS_TOKEN;
  return advise(
    'Paste another access token into the box at the top.',
    'Token not accepted: mistyped, expired, or of another application?',
  );
}
