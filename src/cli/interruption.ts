import type { Terminal } from './terminal.ts';

/** The status of a command that was interrupted before its end. */
export const INTERRUPTED = 130;

/** The first signal to stop aborts; a second one ends the process at once. */
export function interruptBySignals(interruption: AbortController): void {
  const interrupt = () => (interruption.signal.aborted ? process.exit(INTERRUPTED) : interruption.abort());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
}

/** To ask for the token at, where there is a terminal. */
export function terminalOfProcess(): Terminal | undefined {
  if (!process.stdin.isTTY) return undefined;
  return { input: process.stdin, output: process.stderr, interrupt: () => process.exit(INTERRUPTED) };
}
