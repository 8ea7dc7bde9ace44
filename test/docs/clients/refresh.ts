const REFRESH = `mutation Refresh($refreshToken: String!) {
  refreshAccessToken(input: { refreshToken: $refreshToken }) { token { accessToken refreshToken } }
}`;

/** Runs on your server. Store both new tokens before you use them: the old refresh token works only once. */
export async function refresh(refreshToken: string) {
  const { CLIENT_ID, CLIENT_SECRET } = process.env;
  const application = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const response = await fetch('http://localhost:4000/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${application}` },
    body: JSON.stringify({ query: REFRESH, variables: { refreshToken } }),
  });
  const { data, errors } = JSON.parse(await response.text());
  if (!data?.refreshAccessToken) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data.refreshAccessToken.token;
}
