import { type FormEvent, useEffect, useId, useRef } from 'react';

interface Properties {
  readonly isFocused?: boolean | undefined;
  /** Continues with the new token. */
  onToken(token: string): void;
}

/** Asks for another token after one was rejected. The rows stay, and missed changes follow. */
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
      <button type="submit">Continue</button>
    </form>
  );
}
