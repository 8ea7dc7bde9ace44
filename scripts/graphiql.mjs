// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

/** Builds GraphiQL into dist/graphiql, for the gateway to serve: see src/pages/graphiql.ts. */
const root = join(import.meta.dirname, '..');
const source = join(root, 'src/graphiql');
const output = join(root, 'dist/graphiql');
const assets = join(output, 'assets');
const ASSETS_PATH = '/graphiql/assets/';

/** @satisfies {import('esbuild').BuildOptions} */
const OPTIONS = {
  absWorkingDir: root,
  outdir: assets,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  metafile: true,
  // The files may be kept for ever, so their names change with their contents.
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  publicPath: ASSETS_PATH,
  loader: { '.svg': 'copy', '.ttf': 'file' },
  // GraphiQL names Prettier's parsers by their old paths, at which there are CommonJS files: an ES module that imports
  // those gets no parsers, only a default export.
  alias: {
    'prettier/parser-graphql': 'prettier/plugins/graphql',
    'prettier/parser-babel': 'prettier/plugins/babel',
  },
  // React's build for production, which does not do everything twice.
  define: { 'process.env.NODE_ENV': '"production"' },
};

rmSync(output, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

// All workers in one build, since most of each is Monaco's code for workers.
const workers = await build({
  ...OPTIONS,
  entryPoints: [
    'monaco-editor/esm/vs/editor/editor.worker.js',
    'monaco-editor/esm/vs/language/json/json.worker.js',
    'monaco-graphql/esm/graphql.worker.js',
  ],
});
const page = await build({
  ...OPTIONS,
  entryPoints: [join(source, 'main.tsx'), join(source, 'icon.svg')],
  plugins: [workerImports(workers.metafile)],
  // GraphiQL makes the titles of its icons from the names of functions.
  keepNames: true,
});
removeOtherStyles(page.metafile);
writeFileSync(join(output, 'index.html'), pageText(page.metafile));
await Promise.all(readdirSync(assets).map((name) => compressFile(join(assets, name))));

/**
 * Lets `import SomeWorker from 'some/file?worker'` give a class that starts the worker built from that file.
 * @param {import('esbuild').Metafile} metafile of the workers
 * @returns {import('esbuild').Plugin}
 */
function workerImports(metafile) {
  return {
    name: 'worker-imports',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\?worker$/ }, ({ path }) => ({
        path: path.replace('?worker', ''),
        namespace: 'worker',
      }));
      onLoad({ filter: /^/, namespace: 'worker' }, ({ path }) => ({
        contents: `export default class extends Worker {
          constructor() { super('${ASSETS_PATH}${outputOf(path, metafile).name}', { type: 'module' }); }
        }`,
      }));
    },
  };
}

/**
 * The styles of the entry hold those of what it imports later too; esbuild also writes those by themselves.
 * @param {import('esbuild').Metafile} metafile
 */
function removeOtherStyles(metafile) {
  const { cssBundle } = outputOf('main.tsx', metafile);
  for (const path of Object.keys(metafile.outputs))
    if (path.endsWith('.css') && path !== cssBundle) rmSync(join(root, path));
}

/**
 * The page with the names of the built files.
 * @param {import('esbuild').Metafile} metafile
 */
function pageText(metafile) {
  const { name: script, cssBundle = '', imports } = outputOf('main.tsx', metafile);
  const links = [
    { rel: 'stylesheet', path: cssBundle },
    ...imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => ({ rel: 'modulepreload', path })),
  ];
  const head = links.map(
    ({ rel, path }) => `  <link rel="${rel}" href="${ASSETS_PATH}${basename(path)}" />\n  `,
  );
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('./icon.svg', ASSETS_PATH + outputOf('icon.svg', metafile).name)
    .replace('./main.tsx', ASSETS_PATH + script)
    .replace('</head>', `${head.join('')}</head>`);
}

/**
 * @param {string} entry the end of its path
 * @param {import('esbuild').Metafile} metafile
 */
function outputOf(entry, metafile) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
  if (!found) throw new Error(`GraphiQL's build has no ${entry}.`);
  return { name: basename(found[0]), ...found[1] };
}

/**
 * Also as .br and .gz, so that the server does not compress assets itself.
 * @param {string} path
 */
async function compressFile(path) {
  const content = await readFile(path);
  // Quality 9 is within a few percent of the maximum, 11, in a tenth of the time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
