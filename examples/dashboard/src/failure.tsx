import { GatewayError } from './gateway.ts';

const TITLES: { readonly [code: string]: string } = {
  UNAUTHENTICATED: 'The access token was not accepted',
  FORBIDDEN: 'This access token may not read these debtors',
  BAD_USER_INPUT: 'That cannot be looked for',
};

interface Properties {
  readonly error: unknown;
  onRetry(): void;
}

export function Failure({ error, onRetry }: Properties) {
  const { code, message } =
    error instanceof GatewayError ? error : new GatewayError('The gateway cannot be reached.', 'UNREACHABLE');
  return (
    <div className="notice failure" role="alert">
      <h2>{TITLES[code] ?? 'The debtors could not be read'}</h2>
      <p>{message}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
