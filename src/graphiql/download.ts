import { adviceOn } from './advice.ts';
import { isJson, type PostedOperation, readAnswer, send, whole } from './send.ts';

/** Saves what an operation is answered with, and returns the number of its rows. Throws with what there is to say. */
export async function downloadCsv(request: PostedOperation, isCredentialOfTab: boolean): Promise<number> {
  const response = await send(request);
  if (isJson(response)) {
    const answer = await readAnswer(response);
    throw new Error(adviceOn(answer, isCredentialOfTab)?.text ?? 'The gateway answered without rows.');
  }
  if (!response.headers.get('Content-Type')?.startsWith('text/csv'))
    throw new Error(`The gateway answered ${response.status}, without CSV.`);
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'answer.csv';
  const file = await whole(response.blob());
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
  return countRows(await file.text());
}

/** Each ends its line, as the header does; inside of quotes, a line does not end. */
export function countRows(csv: string): number {
  let lines = 0;
  for (const [found] of csv.matchAll(/"[^"]*"|\n/g)) if (found === '\n') lines += 1;
  return Math.max(0, lines - 1);
}
