import type { GatewayError } from './gateway.ts';

const TITLES: { readonly [code: string]: string } = {
  UNAUTHENTICATED: 'The access token was not accepted',
  FORBIDDEN: 'This access token may not read these debtors',
  BAD_USER_INPUT: 'That cannot be looked for',
};

interface Properties {
  /** By default what the error's code means for the debtors. */
  readonly title?: string;
  readonly error: GatewayError;
  readonly advice?: string;
  onRetry(): void;
  onLeave(): void;
}

export function Failure({ title, error, advice, onRetry, onLeave }: Properties) {
  const { code, message, isRefusal } = error;
  return (
    <div className="notice failure" role="alert">
      <h2>{title ?? TITLES[code] ?? 'The debtors could not be read'}</h2>
      <p>{message}</p>
      {advice && <p>{advice}</p>}
      <div className="actions">
        {isRefusal && (
          <button type="button" onClick={onLeave}>
            Use another token
          </button>
        )}
        <button type="button" className={isRefusal ? 'quiet' : ''} onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  );
}
