import { readFileSync } from 'node:fs';

/** As package.json has it, which lies one folder up from the sources and from what they are compiled to. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
