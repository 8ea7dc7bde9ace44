import { useId, useState } from 'react';
import { DebtorList } from './debtor-list.tsx';
import type { Connection } from './gateway.ts';
import { useDebounced } from './use-debounced.ts';

const PAUSE_IN_TYPING_MS = 250;

interface Properties {
  readonly connection: Connection;
  onDisconnect(): void;
}

export function Debtors({ connection, onDisconnect }: Properties) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const debtorNumber = useDebounced(typed.trim(), PAUSE_IN_TYPING_MS);

  return (
    <>
      <header>
        <div className="title">
          <h1>Open amounts</h1>
          <p>Administration {connection.administrationId}</p>
        </div>
        <search>
          <label htmlFor={id}>Debtor number</label>
          <input
            id={id}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder="D10000"
            autoComplete="off"
            spellCheck={false}
          />
        </search>
        <button type="button" className="quiet" onClick={onDisconnect}>
          Disconnect
        </button>
      </header>
      <main aria-busy={debtorNumber !== typed.trim()}>
        {/* Each question has a list of its own, so none ever shows an answer to another. */}
        <DebtorList key={debtorNumber} connection={connection} debtorNumber={debtorNumber} />
      </main>
    </>
  );
}
