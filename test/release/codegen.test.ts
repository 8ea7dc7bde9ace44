import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { executeCodegen } from '@graphql-codegen/cli';
import { transform } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { scriptOf } from '../../scripts/commands.mjs';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { blocksOf } from '../docs/pages.ts';
import { useGateway } from '../support/gateway.ts';

const { url } = await useGateway({ handler: { routes: [createSchemaText(schema)] } });

const DOCUMENT =
  'query Names { debtors(administrationId: "1001") { nodes { bookOpenAmount updatedAt } pageInfo { endCursor } } }';

async function generate(change: (text: string) => string = (text) => text) {
  const shown = blocksOf('docs/clients.md').find(({ text }) => text.includes('CodegenConfig'));
  const { code } = await transform(change(shown?.text ?? ''), { loader: 'ts' });
  const { default: config } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { result } = await executeCodegen({
    ...config,
    schema: config.schema.replace('http://localhost:4000', new URL(url).origin),
    documents: [DOCUMENT],
  });
  return result;
}

test.each([
  ['bundler', '', (text: string) => text],
  ['nodenext', '.js', (text: string) => text.replace(/\/\/ .* add: (?=importExtension)/, '')],
])(
  'the documented graphql-codegen configuration generates types for module %s',
  async (moduleResolution, extension, change) => {
    const folder = await mkdtemp(join(tmpdir(), 'codegen-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const generated = await generate(change);
    const contentOf = (name: string) =>
      generated.find(({ filename }) => filename === `src/generated/${name}`)?.content;
    expect(contentOf('graphql.ts')).toContain('bookOpenAmount: string | null, updatedAt: string | null }');
    expect(contentOf('persisted-documents.json')).toContain('query Names');
    const files = [
      ...generated,
      { filename: 'package.json', content: '{"type": "module"}' },
      {
        filename: 'src/main.ts',
        content: `import { graphql, readFragment } from './generated/index${extension}';
        export const names = [graphql(${JSON.stringify(DOCUMENT)}), readFragment];`,
      },
    ];
    for (const { filename, content } of files) {
      await mkdir(dirname(join(folder, filename)), { recursive: true });
      await writeFile(join(folder, filename), content);
    }
    const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--verbatimModuleSyntax', '--module', module];
    const script = [
      scriptOf('typescript', 'tsc'),
      ...options,
      '--moduleResolution',
      moduleResolution,
      'src/main.ts',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe('');
  },
  60_000,
);
