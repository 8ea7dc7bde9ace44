// @ts-check
const INTERVAL_MS = 200;

const parent = process.ppid;

/**
 * Sends SIGTERM to this process when the one that started it is gone. npm runs a script in a shell, and passes SIGTERM
 * on to that shell alone; dash, which is the shell of Debian, then ends without a word to the command in it.
 *
 * Call it when the process handles SIGTERM: before that, the signal would end it at once, as it should.
 */
export function stopWithParent() {
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  watch.unref();
  // Who signals a whole group ends the shell as well, and a second signal would cut short what the first lets finish.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch));
}
