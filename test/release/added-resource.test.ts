import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { npmScript } from '../../scripts/commands.mjs';
import { blocksOf, rootFolder } from '../docs/pages.ts';
import { eventsIn, SSE, StreamReader } from '../streams/support.ts';
import { postTo } from '../support/gateway.ts';
import { startProcess } from '../support/processes.ts';
import { listen } from '../support/resources.ts';

async function compileWithExample(): Promise<string> {
  const [file = '', line = ''] = blocksOf('CONTRIBUTING.md')
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text);
  // Node and TypeScript find packages in the folders above.
  const folder = mkdtempSync(join(rootFolder, 'node_modules/resource-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['src', 'scripts', 'tsconfig.json', 'package.json'])
    cpSync(join(rootFolder, name), join(folder, name), { recursive: true });
  const schema = join(folder, 'src/schema');
  const index = join(schema, 'index.ts');
  const imports = "import './resources/message.ts';\n";
  writeFileSync(index, readFileSync(index, 'utf8').replace(imports, `${imports}${line}\n`));
  const [, path = ''] = /'(.+)'/.exec(line) ?? [];
  writeFileSync(join(schema, path), `${file}\n`);
  await promisify(execFile)(process.execPath, [npmScript(), 'run', 'compile'], { cwd: folder });
  for (const name of ['graphiql', 'docs', 'clients'])
    symlinkSync(join(rootFolder, 'dist', name), join(folder, 'dist', name), 'junction');
  return join(folder, 'dist/main.js');
}

const INVOICES = ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'].map((updated_at, index) => ({
  id: `${index + 1}`,
  administration_id: '7',
  invoice_number: `F${index + 1}`,
  open_amount: '10.50',
  updated_at,
}));

async function startInvoices() {
  const calls: object[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const { fields, ...others } = Object.fromEntries(searchParams);
    calls.push({ pathname, ...others, fields: JSON.parse(fields ?? 'null') });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: INVOICES.filter(({ id }) => id > (others.cursor ?? '')) }));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, calls };
}

test('a resource with changes needs one file and one line, as in CONTRIBUTING.md', async () => {
  const rest = await startInvoices();
  // A process, since the modules of this one are those of all tests.
  const main = await compileWithExample();
  const { url } = await startProcess({ REST_URL: rest.url }, { script: [main, 'serve'] });
  const post = (query: string, headers?: object) => postTo(url, query, headers);

  const list = await post('{ invoices(administrationId: "7", first: 2) { nodes { invoiceNumber } } }');
  const nodes = [{ invoiceNumber: 'F1' }, { invoiceNumber: 'F2' }];
  expect(await list.json()).toMatchObject({ data: { invoices: { nodes } } });
  expect(rest.calls).toEqual([
    {
      pathname: '/v1/invoices',
      administration_id: '7',
      per_page: '2',
      fields: { only: ['id', 'administration_id', 'invoice_number'] },
    },
  ]);

  const changesFrom = async (start: string) => {
    const query = `subscription { changes(administrationId: "7", kinds: [INVOICE_CHANGED], ${start}) { kind cursor ... on InvoiceChanged { invoice { invoiceNumber } } } }`;
    const stream = new StreamReader(await post(query, SSE));
    await stream.until(/F2.*\n\n/);
    await stream.cancel();
    return eventsIn(stream.text);
  };
  const [first, second] = nodes.map((invoice) => ({
    event: 'next',
    id: expect.any(String),
    data: { data: { changes: { kind: 'INVOICE_CHANGED', invoice, cursor: expect.any(String) } } },
  }));
  const all = await changesFrom('since: "2024-12-01T00:00:00Z"');
  expect(all).toEqual([first, second]);
  expect(await changesFrom(`after: "${all[0]?.id}"`)).toEqual([second]);
  expect(rest.calls.at(-1)).toMatchObject({ updated_after: expect.any(String), cursor: '1' });
});
