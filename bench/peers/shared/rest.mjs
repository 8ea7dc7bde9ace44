// @ts-check
import { Pool } from 'undici';

const pool = new Pool(process.env.REST_URL ?? '', { connections: 128 });

/** @typedef {{ data: any[], pagination?: { cursor?: string } }} Page */
/** @typedef {(path: string) => Promise<Page>} Get */

/**
 * GET as one caller.
 * @param {string | undefined} authorization
 * @returns {Get}
 */
export function getAs(authorization = '') {
  const headers = { accept: 'application/json', authorization };
  return async (path) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode !== 200) throw new Error(`REST answered ${statusCode}: ${await body.text()}`);
    return /** @type {Promise<Page>} */ (body.json());
  };
}
