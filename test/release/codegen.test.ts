import { executeCodegen } from '@graphql-codegen/cli';
import { transformWithEsbuild } from 'vite';
import { expect, test } from 'vitest';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { blocksOf } from '../docs/pages.ts';
import { useGateway } from '../support/gateway.ts';

const { url } = await useGateway({ handler: { routes: [createSchemaText(schema)] } });

const DOCUMENT =
  'query Names { debtors(administrationId: "1001") { nodes { bookOpenAmount updatedAt } pageInfo { endCursor } } }';

test('the configuration that the documentation shows types documents, by the schema that the gateway serves', async () => {
  const shown = blocksOf('docs/clients.md').find(({ text }) => text.includes('CodegenConfig'));
  const { code } = await transformWithEsbuild(shown?.text ?? '', 'codegen.ts');
  const { default: config } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

  const { result } = await executeCodegen({
    ...config,
    schema: config.schema.replace('http://localhost:4000', new URL(url).origin),
    documents: [DOCUMENT],
  });
  const contentOf = (name: string) =>
    result.find(({ filename }) => filename === `src/generated/${name}`)?.content;
  expect(contentOf('graphql.ts')).toContain('bookOpenAmount: string | null, updatedAt: string | null }');
  expect(Object.values(JSON.parse(contentOf('persisted-documents.json') ?? ''))).toEqual([
    expect.stringContaining('query Names'),
  ]);
}, 60_000);
