import { CommandFailure } from './failure.ts';

/** Runs a command that talks to a gateway, and sets the exit status to the one that it returns. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  // Set first, so that the status is 1 however the command ends before its end.
  process.exitCode = 1;
  // It goes on where nobody can be told of it.
  process.stderr.on('error', () => {});
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    console.error(error.message);
    process.exitCode = error.status;
  }
}

/** Of a failure, or of the file system; anything else is a fault of this program, and shown with its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}

/** Text of the gateway as a sentence, which does not quote the token. */
export function sentenceWithout(token: string, text: string): string {
  const hidden = text.replaceAll(token, '***');
  return /[.!?)]$/.test(hidden) ? hidden : `${hidden}.`;
}
