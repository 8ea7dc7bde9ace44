import type { GatewayError } from './gateway.ts';
import { RenewToken } from './renew-token.tsx';

const TITLES: { readonly [code: string]: string } = {
  UNAUTHENTICATED: 'The access token was rejected',
  FORBIDDEN: 'This access token has no access to these debtors',
  BAD_USER_INPUT: 'This search is not possible',
};

interface Properties {
  /** By default, the meaning of the error's code for the list of debtors. */
  readonly title?: string | undefined;
  readonly error: GatewayError;
  /** By default, the error's own message. */
  readonly explanation?: string | undefined;
  readonly advice?: string;
  /** Shows an input for a new token if one is needed. */
  readonly startsInForm?: boolean;
  onRetry(): void;
  onToken(token: string): void;
}

export function Failure({ title, error, explanation, advice, startsInForm, onRetry, onToken }: Properties) {
  const { code, message, isRefusal } = error;
  return (
    <div className="notice failure" role="alert">
      <h2>{title ?? TITLES[code] ?? 'The debtors could not be read'}</h2>
      <p>{explanation ?? message}</p>
      {advice && <p>{advice}</p>}
      {isRefusal && <RenewToken isFocused={startsInForm} onToken={onToken} />}
      <div className="actions">
        <button type="button" className={isRefusal ? 'plain' : ''} onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  );
}
