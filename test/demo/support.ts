import { demoCredentials } from '../../src/demo/applications.ts';

/** Any of the embedded services. */
type DemoService = { readonly url: string };

export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

type Credentials = { clientId: string; clientSecret: string };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const basic = ({ clientId, clientSecret }: Credentials) => ({
  authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
});

export const asCompanyA = bearer(demoCredentials.tokens.companyA);
export const asApplication = basic(demoCredentials.application);

export async function call(service: DemoService, target: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(service.url + target, { redirect: 'manual', ...init });
  const body: unknown = await response.json();
  if (!isObject(body)) throw new TypeError(`Expected an object, got ${JSON.stringify(body)}`);
  return { status: response.status, headers: response.headers, body };
}

export function get(
  service: DemoService,
  path: string,
  parameters: Record<string, string> = {},
  headers: Record<string, string> = asCompanyA,
): Promise<Reply> {
  return call(service, `${path}?${new URLSearchParams(parameters)}`, { headers });
}

export function sendJson(
  service: DemoService,
  method: 'PATCH' | 'POST',
  path: string,
  body: unknown,
  headers: Record<string, string> = asCompanyA,
): Promise<Reply> {
  return call(service, path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** URLSearchParams as a body sets the form's content type by itself. */
export function sendForm(
  service: DemoService,
  method: 'PATCH' | 'POST',
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = asCompanyA,
): Promise<Reply> {
  return call(service, path, { method, headers, body: new URLSearchParams(form) });
}

export function rowsOf({ status, body }: Reply): Record<string, unknown>[] {
  if (status !== 200 || !Array.isArray(body.data)) throw new TypeError(`No page: ${JSON.stringify(body)}`);
  return body.data.filter(isObject);
}

export function idsOf(reply: Reply): unknown[] {
  return rowsOf(reply).map((row) => row.id);
}

export function cursorOf({ body }: Reply): string | undefined {
  return isObject(body.pagination) ? String(body.pagination.cursor) : undefined;
}

/** Every page of a list, one after the other. */
export async function walk(
  service: DemoService,
  path: string,
  parameters: Record<string, string>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  let cursor: string | undefined;
  do {
    const reply = await get(service, path, { ...parameters, ...(cursor && { cursor }) });
    replies.push(reply);
    cursor = cursorOf(reply);
  } while (cursor);
  return replies;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
