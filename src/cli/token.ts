import { type Environment, surroundingsOf } from '../config/index.ts';
import { anyText } from '../config/parse.ts';
import { SettingReader } from '../config/reader.ts';
import { credentialsOf } from '../request/credentials.ts';
import { CommandFailure } from './failure.ts';
import { askSecret, type Terminal } from './terminal.ts';

const TOKEN = {
  name: 'RECEIVABLES_TOKEN',
  parse: anyText,
  secret: true,
  help: 'the bearer token',
};

/** The bearer token of the environment; else the one that is typed. No message quotes it. */
export async function readToken(
  env: Environment,
  host: string,
  terminal: Terminal | undefined,
): Promise<string> {
  const token =
    givenToken(env) ?? (terminal && (await askSecret(`Bearer token for ${host} (not shown): `, terminal)));
  if (!token) {
    const message =
      'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.';
    throw new CommandFailure(message, { status: 2 });
  }
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer === undefined) {
    const message =
      'The token contains a character that is not allowed: give it alone, in one line and without `Bearer`.';
    throw new CommandFailure(message, { status: 2 });
  }
  return token;
}

function givenToken(env: Environment): string | undefined {
  const reader = new SettingReader(env, surroundingsOf([]));
  const token = reader.value(TOKEN);
  if (reader.faults.length > 0) throw new CommandFailure(reader.faults.join(' '), { status: 2 });
  return token;
}
