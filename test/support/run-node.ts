import { type ExecFileOptions, execFile } from 'node:child_process';
import { promisify } from 'node:util';

export async function runNode(args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const all = { maxBuffer: 10_000_000, ...options, encoding: 'utf8' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, args, all).catch((error) => {
    // Compilers write errors on standard output, which would not be shown.
    throw Object.assign(error, { message: `${error.message}${error.stdout}` });
  });
  return stdout;
}
