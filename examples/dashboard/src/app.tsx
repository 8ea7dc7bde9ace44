import { useState } from 'react';
import { ConnectionForm } from './connection-form.tsx';
import { Debtors } from './debtors.tsx';
import type { Connection } from './gateway.ts';

/** The connection lives in memory alone: a reload forgets the token. */
export function App() {
  const [connection, setConnection] = useState<Connection>();
  return connection ? (
    <Debtors connection={connection} onDisconnect={() => setConnection(undefined)} />
  ) : (
    <ConnectionForm onConnect={setConnection} />
  );
}
