// @ts-check
/**
 * Sends SIGTERM to this process when the process that started it has ended. npm runs a script in a shell and sends
 * SIGTERM to that shell only. Some shells, such as dash on Debian, then end without stopping their command.
 */
const parent = process.ppid;
let isWatched = false;
const watch = setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  if (isWatched || process.listenerCount('SIGTERM') === 0) return;
  // A process that has received a signal is stopping already: a second one would end it at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch));
  isWatched = true;
}, 200).unref();
