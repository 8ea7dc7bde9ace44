import type { Client, ReceivedText } from './context.ts';

/** The clients of the operations of an array: one connection, which may leave while each of them waits or runs. */
export function entryClients(client: Client | undefined) {
  const entries: Client[] = [];
  if (client) {
    client.isRunning = true;
    client.onAbort = () => {
      for (const entry of entries) entry.onAbort?.();
    };
    client.onLeave = () => {
      for (const entry of entries) entry.onLeave?.();
    };
  }
  return {
    /** Undefined where another server knows of the client. */
    add(): Client | undefined {
      if (client === undefined) return undefined;
      const { address, owner } = client;
      const entry: Client = {
        address,
        owner,
        get isGone() {
          return client.isGone;
        },
        get isCut() {
          return client.isCut;
        },
        isRunning: false,
        onAbort: undefined,
        onLeave: undefined,
      };
      entries.push(entry);
      return entry;
    },
    end(): void {
      if (client === undefined) return;
      client.isRunning = false;
      client.onAbort = undefined;
      client.onLeave = undefined;
    },
  };
}

/** The text of the array counts until each of its operations has taken its own. */
export function entryTexts(entries: readonly string[], array: ReceivedText): ReceivedText[] {
  let waiting = entries.length;
  return entries.map((entry) => {
    let isWaiting = true;
    const drop = () => {
      if (isWaiting) waiting -= 1;
      isWaiting = false;
      if (waiting === 0) array.drop();
    };
    const read = () => {
      array.check();
      return entry;
    };
    const take = () => {
      const text = read();
      drop();
      return text;
    };
    return { isArray: false, check: () => array.check(), read, take, drop };
  });
}
