import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, '../../dist/graphiql');

export default defineConfig({
  base: '/graphiql/',
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Monaco is one large library; a size warning at each build would not help.
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
    rollupOptions: {
      // Nearly all of Monaco is used: tree shaking takes a third of the build time and saves a thirtieth of the size.
      treeshake: false,
      onwarn(warning, warn) {
        // "use client" concerns server rendering, which is not used here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  // The GraphQL worker loads its formatter with a dynamic import, which requires ES modules.
  worker: { format: 'es' },
  plugins: [precompress()],
});

/** Also writes each asset as .br and .gz, so that the server does not compress assets itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle() {
      const assets = join(outDir, 'assets');
      await Promise.all((await readdir(assets)).map((name) => compressFile(join(assets, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  // Quality 9 is within a few percent of the maximum, 11, in a tenth of the time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
