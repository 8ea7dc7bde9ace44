let token: Promise<string> | undefined;

/** From a route of your own server, which knows the user and keeps the secret. */
async function newToken(): Promise<string> {
  const response = await fetch('/token', { method: 'POST' });
  if (!response.ok) throw new Error('Log in again.');
  return response.text();
}

/** `fetch` with the token. If it is refused, it is renewed once, for all that wait, and the request is sent again. */
export const gatewayFetch: typeof fetch = async (input, init) => {
  token ??= newToken();
  const sent = token;
  const response = await send(await sent);
  if (!(await isRefused(response))) return response;
  if (token === sent) token = newToken();
  return send(await token);

  function send(accessToken: string) {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${accessToken}`);
    return fetch(input, { ...init, headers });
  }
};

/** Of a stream, a refusal is the first result: it is not looked into here. */
async function isRefused(response: Response): Promise<boolean> {
  if (!response.headers.get('Content-Type')?.includes('json')) return false;
  const { errors = [] } = await response.clone().json();
  return errors.some(
    ({ extensions }: { extensions?: { code?: string } }) => extensions?.code === 'UNAUTHENTICATED',
  );
}
