import { type FormEvent, useId } from 'react';
import type { Connection } from './gateway.ts';

interface Properties {
  onConnect(connection: Connection): void;
}

export function ConnectionForm({ onConnect }: Properties) {
  const id = useId();

  function connect(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name)).trim();
    onConnect({ administrationId: text('administration'), token: text('token') });
  }

  return (
    <main className="connection">
      <h1>Open amounts</h1>
      <p>What the debtors of an administration still have to pay.</p>
      <form onSubmit={connect}>
        <label htmlFor={`${id}-administration`}>Administration</label>
        <input
          id={`${id}-administration`}
          name="administration"
          defaultValue={prefilled('administration')}
          required
          autoComplete="off"
        />
        <label htmlFor={`${id}-token`}>Access token</label>
        <input
          id={`${id}-token`}
          name="token"
          type="password"
          defaultValue={prefilled('token')}
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

function prefilled(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="prefill-${name}"]`)?.content;
}
