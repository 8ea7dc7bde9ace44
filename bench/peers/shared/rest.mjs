// @ts-check
import { Pool } from 'undici';

const pool = new Pool(process.env.REST_URL ?? '', { connections: 128 });

/**
 * GET as one caller.
 * @param {string | null | undefined} authorization
 * @returns {import('./context.mjs').Get}
 */
export function getAs(authorization) {
  const headers = { accept: 'application/json', authorization: authorization ?? '' };
  return async (path) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode !== 200) throw new Error(`REST answered ${statusCode}: ${await body.text()}`);
    return body.json();
  };
}
