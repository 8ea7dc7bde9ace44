// @ts-check
import { rmSync } from 'node:fs';

/** This runs before a build, so that no output of deleted sources stays. */
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
