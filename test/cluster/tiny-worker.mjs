/**
 * A worker that starts in a moment and tells what the primary tells it, a line each. It answers a connection with its
 * number. With NEVER_READY it does not get ready, and with BUSY it stops only when the test says so.
 */
const { NEVER_READY, BUSY } = process.env;
const tell = (...words) => console.log([process.pid, ...words].join(' '));

process.on('message', ({ type, spreadMs }, socket) => {
  switch (type) {
    case 'connection':
      socket?.end(String(process.pid));
      return process.send({ type: 'taken' });
    case 'leave-rotation':
      return tell(type, spreadMs);
    case 'stop':
      tell(type, spreadMs);
      if (!BUSY) process.exit();
      return;
    case 'done':
      process.exit();
  }
});
process.on('disconnect', () => process.exit());
if (!NEVER_READY) process.send({ type: 'ready' });
