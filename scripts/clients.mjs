// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { clientModules } from '../dist/pages/client-modules.js';
import { schema } from '../dist/schema/index.js';

/** Writes what the gateway serves at /schema/, for the package. */
const folder = new URL('../clients/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [path, text] of Object.entries(clientModules(schema))) {
  writeFileSync(new URL(basename(path), folder), text);
}
