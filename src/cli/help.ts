import type { Setting } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';
import { version } from '../version.ts';
import type { Command } from './arguments.ts';

const NAME_WIDTH = Math.max(...Object.values(SETTINGS).map(({ name }) => name.length));

function settingLine(setting: Setting<unknown>): string {
  const { name, help } = setting;
  const value = typeof setting.default === 'string' ? ` (${setting.default})` : '';
  return `  ${name.padEnd(NAME_WIDTH)}  ${help}${value}`;
}

const OVERVIEW = `A GraphQL gateway over a REST service for receivables and debtor management.

Usage: receivables-graphql [command] [options]

Commands:
  serve          start the gateway; so does no command at all
  doctor         check a REST service before its users do; see doctor --help
  config         print the settings, and where each comes from
  export         write the list of a query to a file; see export --help
  changes        print changes as they happen; see changes --help
  print-schema   print the GraphQL schema
  help           print this; -h and --help do too
  --version      print the version

Environment:
${Object.values(SETTINGS).map(settingLine).join('\n')}

NAME_FILE names a file that holds the secret NAME. serve, doctor and config take
--env-file <path>, a file of variables; again for more, of which later ones win.
`;

const DOCTOR = `Checks the REST service at REST_URL: whether it can be reached, its certificate,
the address that connections leave from, which belongs on the allow list, the
credentials, every list, and whether it honours each query parameter whose name
its description leaves open. It only reads, one call after another. Without
REST_URL, or with REST_URL=embedded, it checks the embedded service, to show
what it does.

Usage: receivables-graphql doctor [--administration <id>] [--yes]
                                  [--env-file <path>]

Options:
  --administration <id>   the administration to read from; else a terminal is
                          asked for it, or it is the first that the service
                          is found to show
  --yes                   use the credentials without asking

Environment, beside that of serve:
  DOCTOR_TOKEN            the bearer token; unset, a terminal is asked for it,
                          and does not show it
  NO_COLOR                no colours

No option takes the token, since the other users of a machine can see arguments.

The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application. So it asks before it uses one; without a
terminal, and without --yes, it uses none. The token is asked for last.

Exit status: 0 if all is well; 1 if something is not, or was not checked because
no credential was used; 2 if the command line is wrong; 130 if interrupted.
`;

const SERVE = `Starts the gateway. Without REST_URL an embedded REST service with made-up data
stands behind it; with NODE_ENV=production, or a HOST that lets other machines
in, that needs REST_URL=embedded.
SIGTERM or Ctrl-C lets what is under way finish; a second one ends it.

Usage: receivables-graphql [serve] [--env-file <path>]

receivables-graphql --help lists the environment variables that configure it.
`;

const CONFIG = `Prints the settings that serve would have if it were started in the same way:
name, value, and where it comes from. Secrets are not shown. Variables that look
like misspelt settings are named too.

Usage: receivables-graphql config [--json] [--env-file <path>]

Options:
  --json              print JSON, for scripts
  --env-file <path>   a file of variables, as serve takes it

Exit status: 0 if the settings can be used; 1 if not, with every fault; 2 if the
command line is wrong.
`;

const EXPORT = `Exports the list of a query to a file, by a running gateway. The query has one
list and nothing else.

Usage: receivables-graphql export <query.graphql> --out <file> [options]

Options:
  --out <file>            ends in .csv, .ndjson or .parquet; .csv.gz and
                          .ndjson.gz are compressed. -: standard output
  --format <format>       csv, ndjson or parquet, whatever the file's name;
                          standard output is ndjson, or csv
  --variables <json>      the variables of the query, as an object
  --operation <name>      which operation of the document, if it has several
  --url <url>             the gateway's endpoint
  --resume                continue an export that stopped early; if the file is
                          finished, do nothing
  --quiet                 print no progress
  --separator <text>      for CSV: a comma, which is the default, ';' or tab
  --bom                   for CSV: a byte order mark, for Excel
  --formulas              for CSV: leave texts alone that a spreadsheet would
                          run as formulas

Environment:
  RECEIVABLES_TOKEN       the bearer token; unset, a terminal is asked for it,
                          and does not show it
  RECEIVABLES_URL         the gateway's endpoint, unless --url is given
                          (http://localhost:4000/graphql)

No option takes the token, since the other users of a machine can see arguments.

Rows are written to <file>.part, which is renamed to <file> at the end; a file
of that name is replaced. Temporary failures are retried. If the export stops
early, also by Ctrl-C, run the same command with --resume: it continues after
the last row that was saved.

Exit status: 0 if all rows are in the file; 1 if not; 2 if the command line or
the query is wrong; 130 if interrupted.
`;

const CHANGES = `Prints the changes of an administration as they happen, by a running gateway:
a line of JSON for each, with its record. Stop it with Ctrl-C or SIGTERM.

Usage: receivables-graphql changes --administration <id> [options]

Options:
  --administration <id>   the administration
  --kinds <kinds>         with commas: DEBTOR_CHANGED, DECLARATION_LINE_CHANGED,
                          CREDIT_CASE_DELETED, PAYMENT_DELETED; else all
  --fields <selection>    what to read of each record, such as
                          'name postalAddress { city }'; else all plain fields
  --since <moment>        start with what changed after it, such as
                          2025-06-30T10:00:00Z; else start now
  --after <cursor>        start after the line that has this cursor
  --state <file>          keep the last cursor there, and start after it
  --url <url>             the gateway's endpoint
  --quiet                 print only failures to standard error
  --print-query           print the query instead, for trusted documents

Environment:
  RECEIVABLES_TOKEN       the bearer token; unset, a terminal is asked for it,
                          and does not show it
  RECEIVABLES_URL         the gateway's endpoint, unless --url is given
                          (http://localhost:4000/graphql)

No option takes the token, since the other users of a machine can see arguments.
RECEIVABLES_TOKEN_FILE names a file that holds it, and is read again when the
token is refused.

Connections that break are opened again, after the last line. The state is saved
after a line has been written: lines may come twice. A reader that can be killed
together with this command should keep the last cursor itself, for --after.

Exit status: 0 if it was stopped, or nobody reads on; 2 if the command line is
wrong; 3 if the start lies too far back, so that everything has to be read anew;
4 if the token is refused; 1 for any other failure.
`;

const PRINT_SCHEMA = `Prints the GraphQL schema, in its schema definition language.

Usage: receivables-graphql print-schema
`;

export const HELP: { readonly [topic in Command]: string } = {
  help: OVERVIEW,
  serve: SERVE,
  'print-schema': PRINT_SCHEMA,
  doctor: DOCTOR,
  config: CONFIG,
  export: EXPORT,
  changes: CHANGES,
};

export function printHelp(topic: Command): void {
  process.stdout.write(HELP[topic]);
}

export function printVersion(): void {
  console.log(version);
}
