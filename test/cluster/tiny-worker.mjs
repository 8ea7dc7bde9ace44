/**
 * A worker that starts in a moment and tells what the primary calls, a line each. It answers a connection with its
 * number. With NEVER_READY it does not get ready, and with BUSY it stops only when the test says so. The test can make it
 * write with a credential.
 */
const { NEVER_READY, BUSY } = process.env;
const tell = (...words) => console.log([process.pid, ...words].join(' '));
let finish;

process.on('message', async ({ call, name, args, answered, type }, socket) => {
  if (type === 'done') return finish();
  if (type === 'write') return process.send({ call: 2, name: 'dropElsewhere', args: ['credential'] });
  if (answered === 2) return tell('written');
  if (call === undefined) return;
  if (name === 'take') socket?.end(String(process.pid));
  else tell(name, ...args);
  if (name === 'stop' && BUSY) {
    await new Promise((resolve) => {
      finish = resolve;
    });
  }
  process.send({ answered: call, answer: name === 'stop' ? [] : undefined });
});
if (NEVER_READY) tell('starting');
else process.send({ call: 1, name: 'ready', args: [] });
