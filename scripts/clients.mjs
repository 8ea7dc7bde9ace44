// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { schema } from '../dist/schema/index.js';
import { clientModules } from './client-modules.mjs';

/** Writes the modules for clients' caches into the package. */
const folder = new URL('../clients/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(clientModules(schema))) writeFileSync(new URL(name, folder), text);
