/** Monaco calls this for its workers, which the build puts beside the page's script. */
const MonacoEnvironment = {
  getWorker(_id: string, label: string): Worker {
    const name = ['json', 'graphql'].includes(label) ? label : 'editor';
    return new Worker(new URL(`./${name}.worker.js`, import.meta.url), { type: 'module' });
  },
};
Object.assign(globalThis, { MonacoEnvironment });
