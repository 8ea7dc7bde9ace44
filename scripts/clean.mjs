// @ts-check
import { rmSync } from 'node:fs';

/** Before a build, so that nothing is left of sources that are gone. */
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
