import { type AnswerError, errorsIn } from './answer-errors.ts';

/** Fields that take the client id and secret of an application instead of a token. */
export const APPLICATION_FIELDS = [
  'companies',
  'refreshAccessToken',
  'createClientCredentialsToken',
  'introspectToken',
];

/**
 * What a user of this page can do about the errors of an answer: the gateway's own words are for clients, which send
 * headers. Null where the page has nothing to add.
 */
export function adviceOn(answer: unknown, isCredentialOfTab: boolean): string | null {
  const given = errorsIn(answer).map((error) => adviceOnError(error, isCredentialOfTab));
  return given.find((advice) => advice !== null) ?? null;
}

export function adviceOnError(error: AnswerError, isCredentialOfTab: boolean): string | null {
  const { code, message } = error;
  if (code === 'BAD_USER_INPUT' && message.startsWith('`administrationId` is empty'))
    return 'Choose an administration at the top.';
  if (code === 'NOT_CONFIGURED')
    return 'This needs an application. Open “Application” at the top, and enter its client id and secret.';
  if (code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') return null;
  const isMissing = message.startsWith('Send the header');
  // The gateway says why something was refused; what is missing is said here.
  const reason = isMissing ? '' : `${message} `;
  if (isCredentialOfTab)
    return `${reason}The headers of this tab take the place of the token at the top: change them below the query.`;
  if (APPLICATION_FIELDS.includes(String(error.path?.[0])))
    return isMissing
      ? 'This needs an application. Open “Application” at the top, and enter its client id and secret.'
      : `${reason}Check the client id and secret under “Application” at the top.`;
  if (code === 'FORBIDDEN')
    return `${reason}Choose another administration at the top, or paste another access token there.`;
  return isMissing
    ? 'Paste an access token into the box at the top.'
    : `${reason}Paste another access token into the box at the top.`;
}
