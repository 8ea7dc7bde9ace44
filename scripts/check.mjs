// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { npmScript, scriptOf } from './commands.mjs';

/** `npm run check`: side by side, since each leaves a processor idle for most of its time. */
const tsc = scriptOf('typescript', 'tsc');
// Threads of the compiler check the same types again, each for itself, and others collect its garbage.
const alone = '--singleThreaded';
const env = { GOGC: '400', ...process.env };
const checks = {
  'biome check': [scriptOf('@biomejs/biome', 'biome'), 'check', '.'],
  // The largest by far: after a change, only what depends on the changed files is checked again.
  tsc: [
    tsc,
    alone,
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/check.tsbuildinfo',
  ],
  'tsc -p src/graphiql': [tsc, alone, '-p', 'src/graphiql', '--noEmit'],
  'tsc -p scripts/docs/browser': [tsc, alone, '-p', 'scripts/docs/browser'],
  'npm run check --workspaces': [npmScript(), 'run', 'check', '--workspaces'],
  'graphql-codegen --check': [
    scriptOf('@graphql-codegen/cli', 'graphql-codegen'),
    '-c',
    'codegen.ts',
    '--check',
  ],
  'schema changes': ['.ci/schema-changes.mjs'],
  patterns: ['scripts/patterns.mjs'],
  'lines and files': ['.ci/sizes.mjs'],
};

const outcomes = await Promise.all(
  Object.entries(checks).map(async ([name, args]) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    console.log(`${status === 0 ? '✓' : '✗'} ${name}\n${out}${errors}`);
    return status === 0;
  }),
);
if (outcomes.includes(false)) process.exitCode = 1;
