let token: Promise<string> | undefined;

/** From a route of your own server, which knows the user and keeps the secret. */
async function newToken(): Promise<string> {
  try {
    const response = await fetch('/token', { method: 'POST' });
    if (response.ok) return await response.text();
    // The user has to log in: without a token, the gateway refuses the request.
    if (response.status === 401) return '';
    throw new Error('There is no token at the moment.');
  } catch (error) {
    // The next request asks again.
    token = undefined;
    throw error;
  }
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
    if (accessToken) headers.set('Authorization', `Bearer ${accessToken}`);
    return fetch(input, { ...init, headers });
  }
};

/** A stream that was accepted has this header; all else comes whole, a refused stream too. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.headers.has('Last-Event-ID')) return false;
  return (await response.clone().text()).includes('"code":"UNAUTHENTICATED"');
}
