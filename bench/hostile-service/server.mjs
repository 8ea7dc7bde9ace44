// The hostile service, in a thread of its own. It answers every request as it was last told to.
import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { cases } from './answers.mjs';

let answer;

const server = createServer((socket) => {
  socket.on('error', () => {});
  // A request is small, so it arrives at once.
  socket.on('data', () => {
    const { status, headers, body, chunk } = answer;
    const length = chunk === undefined ? `content-length: ${body.length}` : 'transfer-encoding: chunked';
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`${[`HTTP/1.1 ${status} Status`, length, ...lines].join('\r\n')}\r\n\r\n`);
    socket.write(chunk === undefined ? body : chunked(body, chunk));
  });
});

function chunked(body, size) {
  const head = Buffer.from(`${size.toString(16)}\r\n`);
  const framed = Buffer.alloc((head.length + size + 2) * (body.length / size));
  let end = 0;
  for (let at = 0; at < body.length; at += size) {
    end += head.copy(framed, end);
    end += body.copy(framed, end, at, at + size);
    end += framed.write('\r\n', end);
  }
  return Buffer.concat([framed, Buffer.from('0\r\n\r\n')]);
}

server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
parentPort.on('message', (name) => {
  answer = cases[name][1]();
  parentPort.postMessage('ready');
});
