// @ts-check
import { execSync } from 'node:child_process';

/** `npm run dev`: Node runs this anew at each change of src. */
execSync('npm run --silent compile', { stdio: 'inherit' });
await import(new URL('../dist/main.js', import.meta.url).href);
