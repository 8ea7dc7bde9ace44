import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { gather } from '../support/processes.ts';
import { makeFolder } from '../support/resources.ts';

/** Starts `npm run dev` for a project whose compiler copies, and whose program prints that it has started. */
function startDev(source: string, check = '') {
  const project = makeFolder();
  cpSync(fileURLToPath(new URL('../../scripts', import.meta.url)), join(project, 'scripts'), {
    recursive: true,
  });
  mkdirSync(join(project, 'src/folder'), { recursive: true });
  const compile = `${check}node -e "fs.cpSync('src', 'dist', { recursive: true })"`;
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', scripts: { compile } }));
  const main = join(project, 'src/main.js');
  writeFileSync(main, source);
  const args = [join(project, 'scripts/dev.mjs')];
  const dev = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void dev.kill('SIGKILL'));
  return { project, main, dev, output: gather(dev.stdout), errors: gather(dev.stderr) };
}

const program = (text: string) =>
  `console.log('started', ${JSON.stringify(text)});
process.once('SIGTERM', () => { console.log('stopped'); process.exit(); });
setInterval(() => {}, 1_000);`;

// Each start takes three processes, which take seconds on a busy machine.
test('npm run dev restarts the gateway after every kind of save, and stops it at its own end', {
  timeout: 180_000,
}, async () => {
  const { project, main, dev, output, errors } = startDev(program('first'));
  const starts = () => output().match(/^started .*/gm) ?? [];
  await eventually(() => expect(starts()).toEqual(['started first']));

  const other = join(project, 'src/folder/other.js');
  const temporary = join(project, 'temporary.js');
  const saves = {
    'by renaming another': () => {
      writeFileSync(temporary, program('second'));
      renameSync(temporary, main);
    },
    'with the old one as a copy': () => {
      renameSync(main, `${main}~`);
      writeFileSync(main, program('third'));
    },
    'a new file in a folder': () => writeFileSync(other, ''),
    'in its place': () => appendFileSync(other, '// more'),
    'no file': () => rmSync(other),
  };
  for (const [index, [kind, save]] of Object.entries(saves).entries()) {
    save();
    await eventually(() => expect([kind, starts().length]).toEqual([kind, index + 2]));
  }
  expect(starts().map((line) => line.split(' ')[1])).toEqual(
    'first second third third third third'.split(' '),
  );
  expect(errors()).toBe('');

  dev.kill('SIGTERM');
  await eventually(() => expect(output().match(/^stopped$/gm)).toHaveLength(6));
});

test('npm run dev waits for the next change if the sources do not compile', async () => {
  const { main, dev, output, errors } = startDev('not code', 'node --check src/main.js && ');
  await eventually(() => expect(errors()).toContain('SyntaxError'));
  writeFileSync(main, program('compiled'));
  await eventually(() => expect(output()).toContain('started compiled'));
  dev.kill('SIGTERM');
  await eventually(() => expect(output()).toContain('stopped'));
});
