// @ts-check
/**
 * Sends SIGTERM to this process when the one that started it is gone. npm runs a script in a shell, and passes SIGTERM
 * on to that shell alone; dash, which is the shell of Debian, then ends without a word to the command in it.
 */
const parent = process.ppid;
let isWatched = false;
const watch = setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  if (isWatched || process.listenerCount('SIGTERM') === 0) return;
  // A second signal would cut short what the first lets finish.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch));
  isWatched = true;
}, 200).unref();
