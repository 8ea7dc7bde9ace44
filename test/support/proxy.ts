import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './resources.ts';

type Behaviour = 'connect' | 'hang up' | number;

export async function startEgressProxy(behaviour: Behaviour = 'connect', credential?: string) {
  const asked: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer((_request, response) => void response.writeHead(501).end());
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('connect', ({ url, headers }, socket: Socket) => {
    const authorization = headers['proxy-authorization'];
    asked.push({ target: url, authorization });
    const expected = credential && `Basic ${Buffer.from(credential).toString('base64')}`;
    const status = typeof behaviour === 'number' ? behaviour : authorization === expected ? 200 : 407;
    if (behaviour === 'hang up') socket.destroy();
    else if (status !== 200) socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    else {
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => socket.destroy());
      socket.on('close', () => target.destroy());
    }
  });
  const host = `127.0.0.1:${await listen(server)}`;
  const user = credential?.split(':').map(encodeURIComponent).join(':');
  return { asked, host, url: `http://${user === undefined ? '' : `${user}@`}${host}` };
}
