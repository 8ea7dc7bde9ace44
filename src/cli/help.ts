import { readFileSync } from 'node:fs';
import type { Command } from './command-line.ts';

const OVERVIEW = `A GraphQL gateway over a REST service for receivables and debtor management.

Usage: receivables-graphql [command] [options]

Commands:
  serve          start the gateway; so does no command at all
  print-schema   print the GraphQL schema
  help           print this; -h and --help do too
  --version      print the version

Environment:
  PORT, HOST                 where to listen (4000, 127.0.0.1)
  REST_URL                   the REST service; unset, an embedded one with made-up data
  REST_CLIENT_ID,
  REST_CLIENT_SECRET         an application, used for \`viewer\` alone
  REST_PARAMETER_NAMES       names of query parameters, as
                             {"declarationLines":{"createdAfter":"created_from"}}
  REST_TIMEOUT_MS            for one REST call (10000)
  REQUEST_TIMEOUT_MS         for one operation (30000)
  CACHE_TTL_MS               how long what was read may be shown again (5000; 0: not at all)
  MAX_CALLS                  REST calls that one operation may need (50)
  MAX_FIRST                  rows that one list may ask for (10000)
  MAX_OPERATIONS             operations under way at once (256)
  CORS_ORIGINS               origins whose pages may read answers
  SHUTDOWN_GRACE_MS          how long SIGTERM waits for operations under way (10000)
`;

const SERVE = `Starts the gateway, and without REST_URL an embedded REST service behind it. SIGTERM or Ctrl-C lets what is under way
finish; a second one ends it.

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
};

export function printHelp(topic: Command): void {
  process.stdout.write(HELP[topic]);
}

export function printVersion(): void {
  const manifest = new URL('../../package.json', import.meta.url);
  console.log(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
