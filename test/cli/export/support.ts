import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { onTestFinished } from 'vitest';
import { type CopyOptions, copyRows, planRows, type RowOutput } from '../../../src/cli/export/copy-rows.ts';
import { csvFormat, NDJSON_FORMAT } from '../../../src/cli/export/output.ts';
import { PartFile } from '../../../src/cli/export/part-file.ts';
import { type FakeGateway, type FakeRow, QUERY } from './fake-gateway.ts';

/** A folder that ends with the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export const IDENTITY = { document: 'a', variables: 'b', url: 'c', format: 'd' };
const CSV = { separator: ',', decimal: '.', bom: false, formulas: false } as const;
export const FORMATS = {
  ndjson: NDJSON_FORMAT,
  csv: csvFormat(planRows({ query: QUERY, variables: {} }), CSV),
};

export interface FileOptions {
  readonly format?: keyof typeof FORMATS;
  readonly isCompressed?: boolean;
  readonly resumes?: boolean;
}

export async function openPart(path: string, options: FileOptions = {}): Promise<PartFile> {
  const { format = 'ndjson', isCompressed = false, resumes = false } = options;
  return PartFile.open({ path, format: FORMATS[format], isCompressed, identity: IDENTITY, resumes });
}

export interface CopyFromOptions extends Partial<Pick<CopyOptions, 'onRetry'>> {
  readonly limit?: number;
  readonly hasCursors?: boolean;
  readonly signal?: AbortSignal;
}

export interface Copied {
  /** Why each further attempt was made. */
  readonly retries: string[];
}

/** Copies what a fake gateway has, without waiting between attempts. */
export async function copyFrom(
  { url }: FakeGateway,
  output: RowOutput,
  options: CopyFromOptions = {},
): Promise<Copied> {
  const { limit = Number.POSITIVE_INFINITY, hasCursors = true, onRetry } = options;
  const { signal = new AbortController().signal } = options;
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const retries: string[] = [];
  const source = {
    url,
    query: { query: QUERY, variables: {} },
    token: 'a-token',
    dispatcher,
    signal,
    hasCursors,
    limit,
  };
  await copyRows(source, output, {
    firstWaitMs: 0,
    onRetry(failure, waitMs) {
      retries.push(failure.message);
      onRetry?.(failure, waitMs);
    },
  });
  return { retries };
}

export function ndjsonOf(rows: readonly FakeRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
