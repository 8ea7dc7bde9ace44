import { execFileSync } from 'node:child_process';

/** Tests that start the gateway as a process of its own must start what is in the sources now, with its documentation. */
export default function build(): void {
  execFileSync(process.execPath, ['scripts/compile.mjs'], { stdio: 'inherit' });
  execFileSync(process.execPath, ['scripts/docs.mjs'], { stdio: 'inherit' });
}
