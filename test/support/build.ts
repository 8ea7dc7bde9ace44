import { execSync } from 'node:child_process';

/** Tests that start the gateway as a process of its own must start what is in the sources now, with its documentation. */
export default function build(): void {
  execSync('npm run --silent compile && npm run --silent build:docs', { stdio: 'inherit' });
}
