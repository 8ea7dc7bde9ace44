// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { apolloModule, graphcacheModule } from '../dist/pages/client-modules.js';
import { schema } from '../dist/schema/index.js';

/** Writes what the gateway serves at /schema/, for the package. */
const folder = new URL('../clients/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('graphcache.js', folder), graphcacheModule(schema));
writeFileSync(new URL('apollo.js', folder), apolloModule(schema));
