import { askLine, askSecret, confirm, type Terminal, type TextOutput } from '../terminal.ts';

const ALLOW_LIST_WARNING = `
The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application.`;
const ASK_FIRST = ` Go on only if the outgoing address of
this machine is on that list.
`;
const CONFIRMED = ` By --yes you have said that
the outgoing address of this machine is on that list.
`;

const NO_APPLICATION = `
REST_CLIENT_ID and REST_CLIENT_SECRET are not set, so neither \`viewer\` nor
\`companies\` will be checked, and the token will not tell what it reaches.
`;

const NO_TERMINAL =
  'No credential was used, since there is no terminal to ask at: pass --yes where this machine is on the IP allow list.';
const DECLINED = 'No credential was used.';

export interface PromptOptions {
  readonly yes: boolean;
  readonly administration?: string | undefined;
  readonly host: string;
  /** The token of the environment, which is not asked for. */
  readonly given: string | undefined;
  readonly hasApplication: boolean;
  readonly output: TextOutput;
  /** Undefined if nobody can answer. */
  readonly terminal: Terminal | undefined;
}

/** What the checks with a token need; no administration to read from the first that the service shows. */
export type TokenInputs = { readonly token: string; readonly administration: string | undefined };

/**
 * Asks for the token last, so that nobody types it for a run that then lacks something else. Returns why no credential
 * may be used, if so.
 */
export async function askInputs(prompt: PromptOptions): Promise<TokenInputs | string> {
  const { yes, administration, host, given, hasApplication, output, terminal } = prompt;
  output.write(ALLOW_LIST_WARNING + (yes ? CONFIRMED : ASK_FIRST));
  if (!hasApplication) output.write(NO_APPLICATION);
  if (!yes) {
    if (!terminal) return NO_TERMINAL;
    if (!(await confirm(`Use the credentials at ${host}? [y/N] `, terminal))) return DECLINED;
  }
  if (given || !terminal) return { token: given ?? '', administration };
  const otherwise = hasApplication ? 'the first that the token reaches' : 'one that a list may show';
  const question = `Id of the administration to read (empty: ${otherwise}): `;
  return {
    administration: administration ?? ((await askLine(question, terminal)) || undefined),
    token: await askSecret('Bearer token (not shown): ', terminal),
  };
}
