/** The query and the variables of a tab, as text. */
export interface OperationText {
  readonly query: string;
  readonly variables: string;
  readonly operationName?: string | undefined;
}

/** A text named like a secret: `token: "…"`, `"refreshToken": "…"`, `$token: String! = "…"`. */
const NAMED_SECRET =
  /((?:token|secret|password)\w*"?\s*:\s*(?:[\w[\]!]+\s*=\s*)?)("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/gi;

/** Shorter ones would be found inside of words. */
const SHORTEST_SECRET = 8;

/** What is stored or shared has no secret: values that are known to be one, or are named like one, become empty. */
export function withoutSecrets(text: OperationText, known: readonly string[]): OperationText {
  const forms = known
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
  const clean = (written: string) =>
    forms.reduce((left, form) => left.replaceAll(form, ''), written.replace(NAMED_SECRET, '$1""'));
  return { ...text, query: clean(text.query), variables: clean(text.variables) };
}
