// @ts-check
import { createServer } from 'node:http';
import { listen } from '../listen.mjs';

/** The lowest floor: what Node itself takes to read a request and send a short answer that is always the same. */
const BODY = Buffer.from(
  JSON.stringify({ data: { debtor: { name: 'always the same', padding: 'x'.repeat(200) } } }),
);

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': BODY.length }).end(BODY);
  });
});
await listen(server);
