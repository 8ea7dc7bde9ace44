// @ts-check
import { compareSchemas } from './compare-schemas.mjs';

process.exitCode = await compareSchemas(process.argv.slice(2), console);
