#!/usr/bin/env node
import './production.ts';
import { runCommandLine } from './cli/command-line.ts';
import { PROCESS } from './cli/terminal.ts';

// Set first, so that the status is 1 if the process ends before the command does.
process.exitCode = 1;
process.exitCode = await runCommandLine(process.argv.slice(2), PROCESS);
