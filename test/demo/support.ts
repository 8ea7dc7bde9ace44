import { demoCredentials } from '../../src/demo/applications.ts';
import { isJsonObject } from '../../src/demo/http.ts';

/** Any of the embedded services. */
type DemoService = { readonly url: string };
type Headers = Readonly<Record<string, string>>;
type Credentials = { clientId: string; clientSecret: string };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const basic = ({ clientId, clientSecret }: Credentials) => ({
  authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
});

export const asCompanyA = bearer(demoCredentials.tokens.companyA);
export const asApplication = basic(demoCredentials.application);

export type Reply = Awaited<ReturnType<typeof call>>;

export async function call({ url }: DemoService, target: string, init: RequestInit) {
  const response = await fetch(url + target, init);
  const body: unknown = await response.json();
  if (!isJsonObject(body)) throw new TypeError(`Expected an object, got ${JSON.stringify(body)}`);
  return { status: response.status, body };
}

export function get(
  service: DemoService,
  path: string,
  parameters: Record<string, string> = {},
  headers: Headers = asCompanyA,
) {
  return call(service, `${path}?${new URLSearchParams(parameters)}`, { headers });
}

export function sendJson(
  service: DemoService,
  target: `${'PATCH' | 'POST'} ${string}`,
  value: unknown,
  authorization: Headers = asCompanyA,
) {
  const [method = '', path = ''] = target.split(' ');
  const headers = { ...authorization, 'content-type': 'application/json' };
  return call(service, path, { method, headers, body: JSON.stringify(value) });
}

export function rowsOf({ status, body }: Reply): Record<string, unknown>[] {
  if (status !== 200 || !Array.isArray(body.data)) throw new TypeError(`No page: ${JSON.stringify(body)}`);
  return body.data.filter(isJsonObject);
}

export function idsOf(reply: Reply): unknown[] {
  return rowsOf(reply).map((row) => row.id);
}
