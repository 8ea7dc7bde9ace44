// @ts-check
import { join } from 'node:path';
import { compile } from './compiler.mjs';

if (!compile(join(import.meta.dirname, '..'))) process.exitCode = 1;
