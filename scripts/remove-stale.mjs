// @ts-check
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';

/** What the compiler writes of a source. */
const COMPILED = /\.(js|js\.map|d\.ts)$/;

/**
 * Removes what was compiled of sources that are gone. The rest stays in its place, since a gateway may be running from
 * it; so do GraphiQL, the documentation and the modules for clients, which other builds write.
 * @param {URL} sources
 * @param {URL} compiled
 * @param {readonly string[]} [others] folders of other builds
 */
export function removeStale(sources, compiled, others = ['graphiql', 'docs', 'clients']) {
  for (const entry of readdirSync(compiled, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isDirectory()) {
      if (others.includes(name)) continue;
      const folder = new URL(`${name}/`, compiled);
      removeStale(new URL(`${name}/`, sources), folder, []);
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    } else if (COMPILED.test(name) && !existsSync(new URL(name.replace(COMPILED, '.ts'), sources))) {
      rmSync(new URL(name, compiled));
    }
  }
}
