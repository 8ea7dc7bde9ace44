import { version } from '../version.ts';
import type { Command } from './arguments.ts';

const OVERVIEW = `A GraphQL gateway over a REST service for receivables and debtor management.

Usage: receivables-graphql [command] [options]

Commands:
  serve          start the gateway; so does no command at all
  doctor         check a REST service before its users do; see doctor --help
  print-schema   print the GraphQL schema
  help           print this; -h and --help do too
  --version      print the version

Environment:
  PORT, HOST             where to listen (4000, 127.0.0.1)
  REST_URL               the REST service; unset, an embedded one
  REST_CLIENT_ID,
  REST_CLIENT_SECRET     an application, used for \`viewer\` alone
  REST_PARAMETER_NAMES   names of query parameters, as
                         {"declarationLines":{"createdAfter":"created_from"}}
  REST_TIMEOUT_MS        for one REST call (10000)
  REQUEST_TIMEOUT_MS     for one operation (30000)
  CACHE_TTL_MS           how long what was read may be shown again (5000)
  MAX_CALLS              REST calls that one operation may need (50)
  MAX_FIRST              rows that one list may ask for (10000)
  MAX_OBJECTS            objects of one answer (100000)
  MAX_ANSWER_BYTES       bytes of one answer (32000000)
  MAX_OPERATIONS         operations under way at once (256)
  COMPRESSION            off: answers go out as they are (on)
  CORS_ORIGINS           origins whose pages may read answers
  TRUSTED_DOCUMENTS      a persisted-documents.json: only its documents are run
  SHUTDOWN_GRACE_MS      how long SIGTERM waits for operations (10000)
  REDIS_URL,
  SHARING_SECRET         a Redis that replicas share, and 32 characters or more
  CREDENTIAL_CALLS_PER_MINUTE
                         REST calls that one credential may make (any number)
  DOCTOR_TOKEN           the bearer token that doctor uses
`;

const DOCTOR = `Checks the REST service at REST_URL: whether it can be reached, its certificate,
the address that connections leave from, which belongs on the allow list, the
credentials, every list, and whether it honours each query parameter whose name
its description leaves open. It only reads, one call after another. Without
REST_URL it checks the embedded service, to show what it does.

Usage: receivables-graphql doctor [--administration <id>] [--yes]

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

const SERVE = `Starts the gateway, and without REST_URL an embedded REST service behind it.
SIGTERM or Ctrl-C lets what is under way finish; a second one ends it.

Usage: receivables-graphql [serve]

receivables-graphql --help lists the environment variables that configure it.
`;

const PRINT_SCHEMA = `Prints the GraphQL schema, in its schema definition language.

Usage: receivables-graphql print-schema
`;

export const HELP: { readonly [topic in Command]: string } = {
  help: OVERVIEW,
  serve: SERVE,
  'print-schema': PRINT_SCHEMA,
  doctor: DOCTOR,
};

export function printHelp(topic: Command): void {
  process.stdout.write(HELP[topic]);
}

export function printVersion(): void {
  console.log(version);
}
