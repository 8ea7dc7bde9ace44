import { readFileSync } from 'node:fs';
import { isObject, parseJson } from '../rest/json.ts';
import { ConfigError } from './error.ts';
import { fault, type Parse, quotePath } from './setting.ts';

/** Hashes in messages are truncated, since they may be any text. */
export const MAX_HASH_LENGTH = 80;

/** The documents are validated against the schema later, by `checkTrustedDocuments`. */
export const trustedDocuments: Parse<ReadonlyMap<string, string>> = (path, name) => {
  const text = readText(path);
  if (text === undefined) throw fault(`${name}: ${quotePath(path)} is not a file that can be read.`);
  const parsed = parseJson(text);
  if (!isObject(parsed) || Object.keys(parsed).length === 0) {
    throw fault(
      `${name}: ${JSON.stringify(path)} takes a JSON object of documents by their hashes, as graphql-codegen writes.`,
    );
  }
  const documents = new Map<string, string>();
  const faults: string[] = [];
  for (const [hash, document] of Object.entries(parsed)) {
    if (typeof document === 'string') documents.set(hash, document);
    else
      faults.push(`${name}: ${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))} takes the text of a document.`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return documents;
};

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
