import type { DoctorOptions } from '../arguments.ts';
import { askLine, askSecret, confirm, type Terminal } from '../terminal.ts';

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
  readonly options: DoctorOptions;
  /** Where the credentials will be sent. */
  readonly host: string;
  /** The token of the environment, which is not asked for. */
  readonly token: string | undefined;
  readonly hasApplication: boolean;
  readonly terminal: Terminal;
  /** Whether somebody can answer at the terminal. */
  readonly isInteractive: boolean;
}

/** What the checks with a token need. */
export interface TokenInputs {
  readonly token: string;
  /** Undefined to read from the first that the service shows. */
  readonly administration: string | undefined;
}

/** Why no credential may be used. */
interface Refusal {
  readonly refusal: string;
}

/** Asks for the token last, so that nobody types it for a run that then lacks something else. */
export async function askInputs(prompt: PromptOptions): Promise<TokenInputs | Refusal> {
  const { options, host, token, hasApplication, terminal, isInteractive } = prompt;
  const { output } = terminal;
  output.write(ALLOW_LIST_WARNING + (options.yes ? CONFIRMED : ASK_FIRST));
  if (!hasApplication) output.write(NO_APPLICATION);
  if (!options.yes) {
    if (!isInteractive) return { refusal: NO_TERMINAL };
    if (!(await confirm(`Use the credentials at ${host}? [y/N] `, terminal))) return { refusal: DECLINED };
  }
  const { administration } = options;
  if (token || !isInteractive) return { token: token ?? '', administration };
  return {
    administration: administration ?? (await askAdministration(hasApplication, terminal)),
    token: await askSecret('Bearer token (not shown): ', terminal),
  };
}

async function askAdministration(hasApplication: boolean, terminal: Terminal): Promise<string | undefined> {
  const otherwise = hasApplication ? 'the first that the token reaches' : 'one that a list may show';
  const id = await askLine(`Id of the administration to read (empty: ${otherwise}): `, terminal);
  return id === '' ? undefined : id;
}
