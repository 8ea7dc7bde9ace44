import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { npmScript, scriptOf } from '../scripts/commands.mjs';
import { removeStale } from '../scripts/remove-stale.mjs';

const root = new URL('../', import.meta.url);

const manifests = [
  'package.json',
  ...readdirSync(new URL('examples/', root))
    .map((name) => `examples/${name}/package.json`)
    .filter((path) => existsSync(new URL(path, root))),
];

test.each(manifests)("the scripts of %s take nothing that only one system's shell has", (path) => {
  const { scripts } = JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  // Subshells, jobs, `;`, variables, single quotes, settings in front of a command, and commands that Windows lacks.
  const unportable = /[();$'`\\]|(?<!&)&(?!&)|(^|&& )(\w+=|(rm|cp|mv|mkdir|cat|export|sh|bash) )/;
  expect(Object.values<string>(scripts).filter((script) => unportable.test(script))).toEqual([]);
});

describe('commands', () => {
  test('of packages are found as scripts that Node runs', () => {
    for (const script of [scriptOf('typescript', 'tsc'), scriptOf('vite'), scriptOf('relay-compiler')]) {
      expect(readFileSync(script, 'utf8')).toMatch(/^#!\/usr\/bin\/env node/);
    }
  });

  test('of npm are those of the npm that runs, or of the first on the path', () => {
    const running = join('any', 'npm-cli.js');
    expect(npmScript({ npm_execpath: running })).toBe(running);
    const found = npmScript({ npm_execpath: join('any', 'yarn.js'), PATH: process.env.PATH });
    expect(basename(found)).toBe('npm-cli.js');
    expect(() => npmScript({ PATH: 'nowhere' })).toThrow('npm is not on the PATH.');
  });
});

test('compiling leaves nothing of sources that are gone, and all that others have written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stale-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  };
  const kept = [
    'a.d.ts',
    'a.js',
    'a.js.map',
    'b/c.js',
    'docs/script.js',
    'graphiql/assets/page.js',
    'notes.txt',
  ];
  for (const source of ['src/a.ts', 'src/b/c.ts']) write(source);
  for (const path of kept) write(`dist/${path}`);
  for (const path of ['gone.js', 'b/gone.d.ts', 'gone/too/x.js', 'gone/too/x.js.map']) write(`dist/${path}`);

  removeStale(pathToFileURL(`${folder}/src/`), pathToFileURL(`${folder}/dist/`));
  const left = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  const names = left.map((path) => path.replaceAll('\\', '/')).sort();
  expect(names).toEqual([...kept, 'b', 'docs', 'graphiql', 'graphiql/assets'].sort());
});
