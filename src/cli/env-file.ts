/** A comment, a variable with a value in quotes or without, or an empty line. A value in quotes may have several lines. */
const ENTRY =
  /^[ \t]*(?:#.*|(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:(["'`])([\s\S]*?)\2.*|([^\n#]*).*)|)$/gm;

/** Node's `parseEnv` accepts invalid lines, and takes the line after `NAME= ` as the value. */
export function parseEnvFile(content: string): { values: Map<string, string>; invalidLine?: number } {
  const values = new Map<string, string>();
  const rest = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(ENTRY, (entry, name?: string, quote?: string, quoted = '', bare = '') => {
      // In double quotes, `\n` starts a new line.
      const text = quote === '"' ? quoted.replaceAll('\\n', '\n') : quoted;
      if (name !== undefined) values.set(name, quote ? text : bare.trim());
      return entry.replace(/[^\n]/g, '');
    });
  const index = rest.split('\n').findIndex((line) => line !== '');
  return index < 0 ? { values } : { values, invalidLine: index + 1 };
}
