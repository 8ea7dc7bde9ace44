// @ts-check

/**
 * Listens on a free port, and prints the address as our own gateway does.
 * @param {import('node:http').Server} server
 */
export async function listen(server) {
  // A server waits while the others have their turn, and should find its connections open afterwards.
  server.keepAliveTimeout = 600_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on no port.');
  console.log(`ready at http://127.0.0.1:${address.port}`);
}
