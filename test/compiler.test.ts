import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compile } from '../scripts/compiler.mjs';

const PROJECT = {
  'src/a.ts': 'first',
  'src/b/c.ts': 'second',
  'src/graphiql/page.ts': 'a page',
  'src/tsconfig.json': '{}',
  'tsconfig.json': '{}',
  'package.json': '{"type":"module"}',
  'node_modules/.package-lock.json': '{"some":"1.0.0"}',
  'node_modules/typescript/package.json': '{"version":"7.0.2"}',
};

type Write = (path: string, text?: string) => void;

/** A project, with a compiler that copies what it is given and counts how often it was needed. */
function createProject() {
  const root = mkdtempSync(join(tmpdir(), 'compiler-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = (path: string) => join(root, path);
  const write: Write = (path, text = 'other') => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries(PROJECT)) write(path, text);

  let runs = 0;
  const compiler = () => {
    runs += 1;
    for (const path of readdirSync(at('src'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || path.startsWith('graphiql')) continue;
      write(`dist/${path.replace(/ts$/, 'js')}`, readFileSync(at(`src/${path}`), 'utf8'));
    }
    return true;
  };
  return { at, write, compiler, compile: (run = compiler) => compile(root, run), runs: () => runs };
}

type Change = (project: { readonly at: (path: string) => string; readonly write: Write }) => void;

const UNIMPORTANT: Readonly<Record<string, Change>> = {
  'nothing has changed': () => {},
  'only times have changed': ({ at }) => utimesSync(at('src/a.ts'), 1, 2_000_000_000),
  'only the page of GraphiQL has changed': ({ write }) => write('src/graphiql/page.ts'),
  'another build has written to dist': ({ write }) => write('dist/graphiql/page.js'),
};

const IMPORTANT: Readonly<Record<string, Change>> = {
  'a source is edited': ({ write }) => write('src/b/c.ts'),
  'a source is edited, with its time and length as before': ({ at, write }) => {
    const { atime, mtime } = statSync(at('src/a.ts'));
    write('src/a.ts', 'tsrif');
    utimesSync(at('src/a.ts'), atime, mtime);
  },
  'a source is new': ({ write }) => write('src/d/new.ts'),
  'a source is gone': ({ at }) => rmSync(at('src/a.ts')),
  'a source is renamed': ({ at }) => renameSync(at('src/a.ts'), at('src/z.ts')),
  'a text moves from one source to the next': ({ write }) => {
    write('src/a.ts', 'firstsec');
    write('src/b/c.ts', 'ond');
  },
  "the compiler's settings change": ({ write }) => write('tsconfig.json'),
  'the settings for the sources change': ({ write }) => write('src/tsconfig.json'),
  'the type of the modules changes': ({ write }) => write('package.json'),
  'the compiler is another': ({ write }) => write('node_modules/typescript/package.json'),
  'other packages are installed': ({ write }) => write('node_modules/.package-lock.json'),
  'dist is gone': ({ at }) => rmSync(at('dist'), { recursive: true }),
  'a compiled file is gone': ({ at }) => rmSync(at('dist/b/c.js')),
  'a compiled file is another': ({ write }) => write('dist/a.js'),
};

describe('compiling', () => {
  test.each(Object.entries(UNIMPORTANT))('is not needed again if %s', (_, change) => {
    const project = createProject();
    project.compile();
    change(project);
    expect(project.compile()).toBe(true);
    expect(project.runs()).toBe(1);
  });

  test.each(Object.entries(IMPORTANT))('is done anew if %s, and then not again', (_, change) => {
    const project = createProject();
    project.compile();
    change(project);
    expect(project.compile()).toBe(true);
    expect(project.runs()).toBe(2);
    project.compile();
    expect(project.runs()).toBe(2);
  });

  test.each([
    ['fails', () => false],
    ['is interrupted', () => expect.fail('interrupted')],
  ])('is done anew after one that %s, though the sources are those of the one before', (_, run) => {
    const { write, compile, runs } = createProject();
    compile();
    write('src/a.ts', 'faulty');
    try {
      expect(compile(run)).toBe(false);
    } catch (error) {
      expect(error).toMatchObject({ message: 'interrupted' });
    }
    write('src/a.ts', PROJECT['src/a.ts']);
    expect(compile()).toBe(true);
    expect(runs()).toBe(2);
  });

  test('is done anew if a source is edited meanwhile', () => {
    const { write, compiler, compile, runs } = createProject();
    compile(() => {
      const isDone = compiler();
      write('src/a.ts', 'edited meanwhile');
      return isDone;
    });
    compile();
    expect(runs()).toBe(2);
    compile();
    expect(runs()).toBe(2);
  });
});
