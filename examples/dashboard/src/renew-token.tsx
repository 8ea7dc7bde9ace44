import { type FormEvent, useEffect, useId, useRef } from 'react';

interface Properties {
  readonly isFocused?: boolean | undefined;
  /** To go on with it. */
  onToken(token: string): void;
}

/** Asks for another token where one was refused. The rows stay, and what has changed meanwhile comes. */
export function RenewToken({ isFocused = false, onToken }: Properties) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token')).trim();
    if (token) onToken(token);
  }

  return (
    <form className="actions" onSubmit={submit}>
      <label htmlFor={id}>New access token</label>
      <input ref={input} id={id} name="token" type="password" required autoComplete="off" />
      <button type="submit">Go on</button>
    </form>
  );
}
