import { demoCredentials } from '../demo/credentials.ts';
import { curlExample } from '../pages/curl.ts';
import type { LandingFacts } from '../pages/landing/contents.ts';

/** For people who start it at a terminal. */
export function greetingFor(urls: readonly string[], { embedded, trusted, example }: LandingFacts): string {
  const [url = ''] = urls;
  const ready = `receivables-graphql is ready at ${urls.join('\n  and at ')}\n`;
  if (!embedded) return ready;
  const { tokens, application } = demoCredentials;
  return `${ready}
An embedded REST service with made-up data stands behind it. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${trusted ? 'Only the documents of TRUSTED_DOCUMENTS are run, by their hashes' : 'Open the address in a browser, or paste'}:

${curlExample({ ...example, url, trusted })}
`;
}
