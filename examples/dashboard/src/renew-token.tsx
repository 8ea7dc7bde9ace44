import { type FormEvent, useId } from 'react';

interface Properties {
  /** To go on with it. */
  onToken(token: string): void;
  onLeave(): void;
}

/** Asks for another token where one has expired or was revoked. The rows stay, and what has changed meanwhile comes. */
export function RenewToken({ onToken, onLeave }: Properties) {
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token')).trim();
    if (token) onToken(token);
  }

  return (
    <form className="actions" onSubmit={submit}>
      <label htmlFor={id}>New access token</label>
      <input id={id} name="token" type="password" required autoComplete="off" />
      <button type="submit">Go on</button>
      <button type="button" className="quiet" onClick={onLeave}>
        Use another token
      </button>
    </form>
  );
}
