import { errorsIn } from './fetcher.ts';

/** Sends an operation to where the gateway answers with CSV, and saves the file. Throws with the gateway's own words. */
export async function downloadCsv(endpoint: string, headers: Headers, operation: object): Promise<void> {
  // Excel takes a file for UTF-8 by the mark that `bom` puts in front.
  const response = await fetch(`${endpoint}.csv?bom=1`, {
    method: 'POST',
    headers,
    body: JSON.stringify(operation),
  });
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) {
    const [error] = errorsIn(await response.json());
    throw new Error(error?.message ?? 'The gateway answered without rows.');
  }
  if (!type.startsWith('text/csv')) throw new Error(`The gateway answered ${response.status}, without CSV.`);
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'answer.csv';
  save(await response.blob(), name);
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
