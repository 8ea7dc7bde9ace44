import type { Setting } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';
import type { Command } from './arguments.ts';
import { wrapText } from './terminal.ts';

const WIDTH = 80;

function listSettings(settings: readonly Setting<unknown>[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, help, default: text }) => {
    return `  ${name.padEnd(width)}  ${help}${typeof text === 'string' ? ` (${text})` : ''}`;
  });
  return lines.join('\n');
}

const { port, host, restUrl, clientId, clientSecret, corsOrigins, logLevel } = SETTINGS;
const MOST_USED = [port, host, restUrl, clientId, clientSecret, corsOrigins, logLevel];

const TOKEN = `Environment:
  RECEIVABLES_TOKEN       the bearer token. By default you are asked for it, and what you type is not shown
  RECEIVABLES_TOKEN_FILE  a file with the token, which is read again when the token is rejected
  RECEIVABLES_URL         the gateway's endpoint, unless --url is given (http://localhost:4000/graphql)
There is no option for the token: other users of the machine could see it.`;

/** Each paragraph and each option is one line, which `formatLine` wraps. */
const TEXTS: { readonly [topic in Command]: string } = {
  help: `A GraphQL gateway over a REST service for receivables and debtor management.
Usage: receivables-graphql [command] [options]
Commands:
  serve          start the gateway (the default command)
  doctor         check a REST service before you connect it
  config         print the settings, and where each comes from
  export         save a list as CSV or NDJSON
  changes        print changes as they happen
  mcp            let an AI assistant read, over the Model Context Protocol
  print-schema   print the GraphQL schema
  help           print this help (also -h, --help)
  --version      print the version
Run a command with --help to see its options.
Settings, as environment variables:
${listSettings(MOST_USED)}
config --help lists all settings, and config prints their values.
To read a secret from a file, set NAME_FILE to its path instead of NAME. serve, doctor and config also take --env-file <path>, a file of variables. Give it more than once to read several files; later ones win.`,
  serve: `Starts the gateway. Without REST_URL it also starts an embedded REST service with made-up data. With NODE_ENV=production, or a HOST that other machines can reach, set REST_URL=embedded if you want that. SIGTERM or Ctrl-C stops the gateway as soon as running operations are done; a second one stops it at once.
Usage: receivables-graphql [serve] [--env-file <path>]
receivables-graphql config --help lists the variables that configure it.`,
  doctor: `Checks the REST service at REST_URL: can it be reached, is it the service, is its certificate valid, which address do connections leave from (it belongs on the allow list), can Redis be used, do the credentials work, can every list be read, and does the service know the query parameters with assumed names. It only reads, one call at a time. Without REST_URL, or with REST_URL=embedded, it checks the embedded service as an example.
Usage: receivables-graphql doctor [--administration <id>] [--yes] [--env-file <path>]
Options:
  --administration <id>   the administration to read from. By default doctor asks for it, or takes the first one that the token reaches
  --yes                   use the credentials without asking
  --env-file <path>       a file of variables, as for serve
Environment, in addition to the settings of the gateway:
  DOCTOR_TOKEN            the bearer token. By default doctor asks for it and does not show what you type
  NO_COLOR                if set, no colors are printed
There is no option for the token: other users of the machine could see it.
The REST service revokes a token that arrives from an address which is not on the IP allow list of the token's application. So doctor asks before it uses a token. Without a terminal it uses none, unless --yes is given.
Exit status: 0 if all checks passed; 1 if one failed, or there is no token to check with; 2 if the command line is wrong; 130 if interrupted.`,
  config: `Prints the settings that serve would use: name, value, and where the value comes from. Secrets are not shown. Variables that look like misspelled settings are listed too.
Usage: receivables-graphql config [--json] [--env-file <path>]
Options:
  --json              print JSON, for scripts
  --env-file <path>   a file of variables, as for serve
Settings, as environment variables:
${listSettings(Object.values(SETTINGS))}
Exit status: 0 if the settings are valid; 1 if not; 2 if the command line is wrong.`,
  export: `Saves the list of a query to a file, through a running gateway. The query must select one list: its records, groups or totals.
Usage: receivables-graphql export <query.graphql> --out <file> [options]
Options:
  --out <file>            ends in .csv or .ndjson; .csv.gz and .ndjson.gz are compressed. -: standard output
  --format <format>       csv or ndjson. By default the file's name decides; ndjson for standard output
  --variables <json>      the variables of the query, as an object
  --operation <name>      which operation of the document, if it has several
  --url <url>             the gateway's endpoint
  --resume                continue an export that was interrupted; do nothing if the file is complete
  --estimate              print how many REST calls the export would take, and export nothing
  --quiet                 print no progress
  --separator <text>      CSV only: ',' (the default), ';' or tab
  --decimal <text>        CSV only: '.' (the default) or ',' in amounts
  --bom                   CSV only: begin with a byte order mark, for Excel
  --formulas              CSV only: do not escape text that a spreadsheet would run as a formula
  --phones                CSV only: do not escape phone numbers, which begin with +
  --time-zone <name>      CSV only: write the local date and time of a time zone, such as Europe/Amsterdam
${TOKEN}
Rows are saved to <file>.part, and <file> is written at the end. Temporary failures are retried. If the export stops early, or you stop it with Ctrl-C, run the same command with --resume: it continues after the last saved row.
Exit status: 0 if all rows are in the file; 1 if not; 2 if the command line or the query is wrong; 130 if interrupted.`,
  changes: `Follows the changes of an administration through a running gateway. Prints one line of JSON for each change, with its record. Stop it with Ctrl-C or SIGTERM.
Usage: receivables-graphql changes --administration <id> [options]
Options:
  --administration <id>   the administration to follow
  --kinds <kinds>         which changes, separated by commas, such as DEBTOR_CHANGED,PAYMENT_DELETED (all)
  --fields <selection>    fields of each record, such as 'name postalAddress { city }' (all plain fields)
  --since <moment>        start with changes after this moment, such as 2025-06-30T10:00:00Z (now)
  --after <cursor>        start after the line with this cursor
  --state <file>          save the last cursor here, and continue from it
  --url <url>             the gateway's endpoint
  --quiet                 print only failures to standard error
  --print-query           print the subscription and stop; for trusted documents
${TOKEN}
If the connection breaks, it is opened again and continues after the last line. The state file is saved after a line is printed, so a line can be printed twice. A program that reads this output and may be killed together with this command should save the last cursor itself and pass it with --after.
Exit status: 0 if it was stopped, or its output was closed; 2 if the command line is wrong; 3 if the start is too long ago, so that everything must be read again; 4 if the token is rejected; 1 for any other failure.`,
  mcp: `Serves the Model Context Protocol over standard input and output, so that an AI assistant can look up debtors and totals through a running gateway. Assistants start it themselves: docs/assistants.md shows their settings. It only reads.
Usage: receivables-graphql mcp [options]
Options:
  --embedded                    use made-up data, without a gateway and a token
  --max-calls <number>          how many REST calls a query may take (10)
  --omit <names>                types and fields to leave out, separated by commas, such as Debtor.remark,Label
  --include-declaration-lines   let the assistant read declaration lines, which are health-care data
  --trusted-documents <file>    run only the named queries of this file, each as a tool of its own
  --url <url>                   the gateway's endpoint
${TOKEN}
Each call of a tool is logged to standard error, without values. The command ends when the assistant does.
Exit status: 0 if the assistant disconnected, or a signal stopped it; 1 for a failure; 2 if the command line or a setting is wrong.`,
  'print-schema': `Prints the GraphQL schema in the schema definition language (SDL).
Usage: receivables-graphql print-schema`,
};

export function getHelp(topic: Command = 'help'): string {
  return `${TEXTS[topic].split('\n').map(formatLine).join('\n')}\n`;
}

/** Separates paragraphs, and keeps the description of an option in its column. */
function formatLine(line: string, index: number): string {
  const [, start = '', text = ''] = /^( {2}.*? {2,})?(.*)$/.exec(line) ?? [];
  const wrapped = start + wrapText(text, WIDTH, start.length);
  return index > 0 && start === '' ? `\n${wrapped}` : wrapped;
}
