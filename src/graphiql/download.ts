import { findAdvice, type TokenSource } from './advice.ts';
import { isJson, type PostedOperation, readBody, readResult, send } from './send.ts';

/** Saves the result of an operation as CSV and returns its number of rows. Throws with a message for the user. */
export async function downloadCsv(request: PostedOperation, source: TokenSource): Promise<number> {
  const response = await send(request);
  if (isJson(response)) {
    const result = await readResult(response);
    throw new Error(findAdvice(result, source)?.text ?? 'The gateway returned no records.');
  }
  if (!response.headers.get('Content-Type')?.startsWith('text/csv'))
    throw new Error(`The gateway responded with status ${response.status} and no CSV.`);
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'rows.csv';
  const file = await readBody(response.blob());
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
  return countRows(await file.text());
}

/** Counts the lines after the header; a line break inside quotes does not end a row. */
export function countRows(csv: string): number {
  let lines = 0;
  for (const [match] of csv.matchAll(/"[^"]*"|\n/g)) if (match === '\n') lines += 1;
  return Math.max(0, lines - 1);
}
