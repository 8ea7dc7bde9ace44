import { ADMINISTRATION, BEARER, type TestGateway } from '../support/gateway.ts';
import type { DemoData } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';

export interface ExportOptions {
  readonly variables?: object;
  readonly options?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function fetchExport(
  { url }: Pick<TestGateway, 'url'>,
  format: 'csv' | 'ndjson',
  query: string,
  { variables, options = {}, headers = BEARER, signal }: ExportOptions = {},
): Promise<Response> {
  return fetch(`${url}.${format}?${new URLSearchParams(options)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
}

export async function exportText(...asked: Parameters<typeof fetchExport>): Promise<string> {
  const response = await fetchExport(...asked);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text;
}

export interface NdjsonLine {
  readonly [member: string]: unknown;
}

export function linesIn(ndjson: string): NdjsonLine[] {
  return ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export function manyDebtors(count: number): DemoData {
  return createData({ administrations: 1, debtors: count, cases: 0, idLength: 12 });
}

export const DEBTORS = `{ debtors(administrationId: "${ADMINISTRATION}") { nodes { internalId name } } }`;
