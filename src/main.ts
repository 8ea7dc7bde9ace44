#!/usr/bin/env node
import './production.ts';
import { helpCommand, readCommandLine, UsageError } from './cli/arguments.ts';

/** Commands are imported on demand, so that `help` does not have to build the schema. */
async function run(): Promise<void> {
  const line = readCommandLine(process.argv.slice(2));
  if (line.command === 'serve') return (await import('./cli/serve.ts')).serveUntilStopped(line);
  // These handle the errors of standard output themselves.
  if (line.command === 'changes') return (await import('./cli/changes/changes.ts')).runChanges(line);
  if (line.command === 'export') return (await import('./cli/export/export.ts')).runExport(line);

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` closes the pipe early, which is not an error.
    if (error.code === 'EPIPE') process.exit();
    console.error(`Standard output: ${error.message}.`);
    process.exit(1);
  });
  switch (line.command) {
    case 'doctor':
      return (await import('./cli/doctor/doctor.ts')).runDoctor(line);
    case 'config':
      return (await import('./cli/config.ts')).printConfig(line);
    case 'print-schema':
      return (await import('./cli/print-schema.ts')).printSchema();
    case 'help':
      return (await import('./cli/help.ts')).printHelp(line.topic);
    case 'version':
      return (await import('./cli/help.ts')).printVersion();
  }
}

try {
  await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}; see ${helpCommand(process.argv.slice(2))}.`);
  process.exitCode = 2;
}
