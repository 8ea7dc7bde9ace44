import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { npmScript, scriptOf } from '../../scripts/commands.mjs';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, postTo, useGateway } from '../support/gateway.ts';
import { fetchNode } from '../support/node-version.ts';
import { gather } from '../support/processes.ts';
import { runNode } from '../support/run-node.ts';

const NAME = 'receivables-graphql';
const root = fileURLToPath(new URL('../../', import.meta.url));
/** Packing and compiling take a few seconds, and many on a busy machine. */
const PATIENCE_MS = 60_000;
const { dependencies, optionalDependencies, peerDependencies, version } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const { rest } = await useGateway();
/** The oldest version of Node that it has to run on, and the newest of each major version but that of the tests. */
const OTHER_VERSIONS = ['20.18.1', '22', '24', '26'].filter(
  (other) => other !== process.versions.node.split('.')[0],
);

/** A project that has the package as npm would unpack it, with what it depends on to run and nothing else. */
const project = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(project, 'node_modules', NAME);
/** The package without any other: its command is bundled with what it needs. */
const alone = mkdtempSync(join(tmpdir(), 'package-alone-'));
const main = join(alone, 'dist/main.js');
let packed: string[];

beforeAll(async () => {
  packed = await listPacked();
  for (const path of packed) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    cpSync(join(root, path), join(installed, path));
  }
  cpSync(installed, alone, { recursive: true });
  // The types of Node are the one thing that who compiles against the package has to add.
  link(project, [...Object.keys({ ...dependencies, ...peerDependencies }), '@types/node']);
}, PATIENCE_MS);
afterAll(() => {
  for (const folder of [project, alone]) rmSync(folder, { recursive: true });
});

function link(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path, 'junction');
  }
}

describe('the package', () => {
  test('contains the command, the library with types, GraphiQL, documentation and client modules', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !/^(cli|demo|graphiql|server)\/|^main/.test(path));
    const compiled = sources.flatMap((path) => [path.replace(/ts$/, 'js'), path.replace(/ts$/, 'd.ts')]);
    const inDist = packed.filter((path) => /^dist\/(?!graphiql\/|docs\/|clients\/|chunks\/)/.test(path));
    const files = [...compiled, 'main.js', 'LICENSES.txt'];
    expect(inDist.sort()).toEqual(files.map((path) => `dist/${path}`).sort());
    expect(packed).toContain('dist/graphiql/index.html');
    expect(packed).toContain('dist/docs/getting-started.html');
    expect(packed).toContain('dist/clients/apollo.js');
  });

  test('contains nothing else but its descriptions and the schema', () => {
    const others = packed.filter((path) => !path.startsWith('dist/'));
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'clients/apollo.d.ts',
      'clients/apollo.js',
      'clients/graphcache.d.ts',
      'clients/graphcache.js',
      'package.json',
      'schema.graphql',
    ]);
  });

  test('installs few packages, none of which has to be built', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const brought = Object.entries<Record<string, boolean>>(packages).filter(
      ([path, { dev, devOptional, link }]) =>
        path.startsWith('node_modules/') && !dev && !devOptional && !link,
    );
    expect(brought.length).toBeLessThan(80);
    expect(brought.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });
});

describe('the package, installed without optional dependencies,', () => {
  test(
    'is a library with types',
    async () => {
      writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
      writeFileSync(join(project, 'server.ts'), serverLike(exampleIn('dist/index.d.ts')));
      const errors = await run(scriptOf('typescript', 'tsc'), ...COMPILER_OPTIONS, 'server.ts').catch(
        ({ message }) => message,
      );
      // Declarations of other packages have errors, which `skipLibCheck` would hide with ours.
      expect(errors).not.toMatch(/^(server|node_modules.receivables-graphql)\b/m);
      const output = await run('server.js', rest.url);
      expect(JSON.parse(output)).toMatchObject({
        status: 200,
        answer: { data: { debtors: { nodes: [{ name: 'Noëlle IJzerman' }] } } },
        types: expect.arrayContaining(['Debtor']),
      });
      expect(rest.calls).toMatchObject([{ path: '/v1/debtors' }]);
    },
    PATIENCE_MS,
  );

  test('exports no internal modules, but its schema and the modules for clients', async () => {
    writeFileSync(join(project, 'inside.mjs'), `import '${NAME}/dist/serve.js';`);
    await expect(run('inside.mjs')).rejects.toMatchObject({
      stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    });
    const found = ['schema.graphql', 'apollo.js', 'graphcache.js'].map(
      (name) => `console.log(import.meta.resolve('${NAME}/${name}'));`,
    );
    writeFileSync(join(project, 'found.mjs'), found.join('\n'));
    expect(await run('found.mjs')).toMatch(
      /\/schema\.graphql\n.*\/clients\/apollo\.js\n.*\/clients\/graphcache\.js\n$/,
    );
  });
});

describe('the unpacked package without dependencies', () => {
  test('prints its version, and serves GraphQL, GraphiQL and the documentation', async () => {
    expect(await run(main, '--version')).toBe(`${version}\n`);
    const { url } = await startWith(process.execPath);
    expect(await firstDebtor(url)).toBe('Noëlle IJzerman');
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
    for (const path of [script, '/docs/querying']) expect((await fetch(new URL(path, url))).status).toBe(200);
  });

  // Each is a download of 50 MB, which is too much for those who run the tests on their own machine.
  test.for(OTHER_VERSIONS)(
    'executes operations on Node %s',
    {
      timeout: 300_000,
      skip: !process.env.CI,
      meta: { needs: 'another version of Node. Set CI=1, and they download it.' },
    },
    async (version) => {
      const { url } = await startWith(await fetchNode(version, join(project, `node-${version}`)));
      expect(await firstDebtor(url)).toBe('Noëlle IJzerman');
    },
  );

  test('has one copy of graphql', () => {
    const modules = packed.filter((path) => path.startsWith('dist/chunks/'));
    const code = modules.map((path) => readFileSync(join(alone, path), 'utf8')).join('');
    expect(code.match(/GraphQLError = class |class GraphQLError /g)).toHaveLength(1);
  });

  test('loads the optional packages that are installed, and names those that are not', async () => {
    const env = {
      LOG: 'errors',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      REDIS_URL: 'redis://127.0.0.1:9',
      SHARING_SECRET: 'a secret of the deployment, which is long',
    };
    const without = await startWith(process.execPath, env);
    await eventually(() => expect(without.output()).toContain('"ioredis is not installed"'));
    expect(without.output()).toContain('no traces');

    link(alone, Object.keys(optionalDependencies));
    const { output } = await startWith(process.execPath, env);
    await eventually(() => expect(output()).toContain('"ECONNREFUSED"'));
    expect(output()).not.toMatch(/no traces|not installed/);
  });
});

async function startWith(node: string, settings = {}) {
  const env = { PATH: process.env.PATH, PORT: '0', LOG: 'off', ...settings };
  const child = spawn(node, [main], { cwd: alone, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = gather(child.stdout);
  while (!/is ready at \S+\s/.test(output())) await once(child.stdout, 'data');
  const [, url = ''] = /is ready at ([^\s"]+)/.exec(output()) ?? [];
  return { output, url: url.replace('localhost', '127.0.0.1') };
}

async function firstDebtor(url: string): Promise<string> {
  const query = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
  const { data } = await (await postTo(url, query)).json();
  return data.debtors.nodes[0].name;
}

/** Skips the scripts around packing, which would build everything again. */
async function listPacked(): Promise<string[]> {
  const args = [npmScript(), 'pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(await runNode(args, { cwd: root }));
  return files.map(({ path }: { readonly path: string }) => path);
}

const run = (...args: string[]) => runNode(args, { cwd: project });

const COMPILER_OPTIONS = '--target esnext --module nodenext --types node --strict'.split(' ');

function exampleIn(path: string): string {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(installed, path), 'utf8')) ?? [];
  return code.replace(/^ \* ?/gm, '');
}

function serverLike(example: string): string {
  return `
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Config, ConfigError, createGateway, type Gateway, type GatewayOptions, readConfig, schema,
} from '${NAME}';

${example.replace("'https://rest.example'", "process.argv[2] ?? ''").replace(/createServer.*/, '')}
export type Exported = [Config, ConfigError, Gateway, GatewayOptions];

// @ts-expect-error A gateway needs to know its service: that this is a fault shows that there are types.
export const faulty = () => createGateway({});

const query = '{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }';
const server = createServer(gateway);
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const headers = ${JSON.stringify({ ...BEARER, 'content-type': 'application/json' })};
  const body = JSON.stringify({ query });
  const response = await fetch(\`http://127.0.0.1:\${port}/graphql\`, { method: 'POST', headers, body });
  const types = Object.keys(schema.getTypeMap());
  console.log(JSON.stringify({ status: response.status, answer: await response.json(), types }));
  server.close();
  await gateway.dispose();
});
`;
}
