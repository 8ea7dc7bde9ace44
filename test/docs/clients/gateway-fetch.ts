let token: Promise<string> | undefined;

/** Calls a route of your own server, which knows the user and keeps the secret. */
async function newToken(): Promise<string> {
  try {
    const response = await fetch('/token', { method: 'POST' });
    if (response.ok) return await response.text();
    // The user has to log in. The request is sent without a token, so the gateway rejects it.
    if (response.status === 401) return '';
    throw new Error('No token is available. Try again later.');
  } catch (error) {
    // Let the next request try again.
    token = undefined;
    throw error;
  }
}

/** Calls `fetch` with the token. If the token is rejected, renews it once for all requests, and retries. */
export const gatewayFetch: typeof fetch = async (input, init) => {
  token ??= newToken();
  const sent = token;
  const response = await send(await sent);
  if (!(await isRejected(response))) return response;
  if (token === sent) token = newToken();
  return send(await token);

  function send(accessToken: string) {
    const headers = new Headers(init?.headers);
    if (accessToken) headers.set('Authorization', `Bearer ${accessToken}`);
    return fetch(input, { ...init, headers });
  }
};

/** An open stream has this header, also when it resumes. Every other response is finite, so its body can be read. */
async function isRejected(response: Response): Promise<boolean> {
  if (response.headers.has('Last-Event-ID')) return false;
  return (await response.clone().text()).includes('"code":"UNAUTHENTICATED"');
}
