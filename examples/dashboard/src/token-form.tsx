import { type FormEvent, useEffect, useId, useRef } from 'react';

interface Properties {
  readonly suggestion: string;
  onToken(token: string): void;
}

export function TokenForm({ suggestion, onToken }: Properties) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const token = input.current?.value.trim();
    if (token) onToken(token);
  }

  return (
    <main className="token">
      <h1>Open amounts</h1>
      <p>What the debtors of an administration still have to pay.</p>
      <form onSubmit={submit}>
        <label htmlFor={id}>Access token</label>
        <input
          ref={input}
          id={id}
          type="password"
          defaultValue={suggestion}
          required
          autoComplete="off"
          aria-describedby={`${id}-note`}
        />
        <small id={`${id}-note`}>Kept in this page until you close or reload it.</small>
        <button type="submit">Show debtors</button>
      </form>
    </main>
  );
}
