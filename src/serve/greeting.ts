import { demoCredentials } from '../demo/credentials.ts';
import { curlExample } from '../pages/curl.ts';
import type { LandingFacts } from '../pages/landing/contents.ts';

/** For people who start it at a terminal. */
export function greetingFor(
  urls: readonly string[],
  { embedded, trusted, example }: LandingFacts,
  restUrl: URL | undefined,
): string {
  const [url = ''] = urls;
  const ready = `receivables-graphql is ready at ${urls.join('\n  and at ')}\n`;
  if (!embedded) return `${ready}It uses the REST service at ${restUrl?.href}\n`;
  const { tokens, application } = demoCredentials;
  const invitation = trusted
    ? 'It runs only the documents in TRUSTED_DOCUMENTS. Send their hashes, for example'
    : 'Open the address in a browser, or run';
  return `${ready}
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${invitation}:

${curlExample({ ...example, url, trusted })}
`;
}
