import { adviceOn, errorsIn } from './advice.ts';
import { isJson, send, whole } from './send.ts';

/** Sends an operation to where the gateway answers with CSV, and saves the file. Throws with what there is to say. */
export async function downloadCsv(
  endpoint: string,
  headers: Headers,
  operation: object,
  isCredentialOfTab = false,
): Promise<void> {
  // Excel takes a file for UTF-8 by the mark that `bom` puts in front.
  const response = await send({ url: `${endpoint}.csv?bom=1`, headers, operation });
  if (isJson(response)) {
    const body = await whole(response.json());
    const said = errorsIn(body)[0]?.message ?? 'The gateway answered without rows.';
    throw new Error(adviceOn(body, isCredentialOfTab)?.text ?? said);
  }
  if (!response.headers.get('Content-Type')?.startsWith('text/csv'))
    throw new Error(`The gateway answered ${response.status}, without CSV.`);
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'answer.csv';
  const address = URL.createObjectURL(await whole(response.blob()));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
