/** An error of `listen`, as Node describes it. */
interface ListenError extends Error {
  readonly code: string;
  readonly port?: number;
}

const NOT_HERE = () => 'HOST is not an address of this machine: set it to one, or to 0.0.0.0 for all of them';

const PROBLEMS: { readonly [code: string]: (port: number | undefined) => string } = {
  EADDRINUSE: (port) => `Port ${port} is in use: stop what listens there, or set PORT to another`,
  EACCES: (port) => `This user may not listen on port ${port}: set PORT to 1024 or more`,
  EADDRNOTAVAIL: NOT_HERE,
  EAFNOSUPPORT: NOT_HERE,
  ENOTFOUND: NOT_HERE,
  EAI_AGAIN: NOT_HERE,
};

/** Why the gateway cannot listen, and which setting to change; undefined for what is no error of the system. */
export function listenProblem(error: unknown): string | undefined {
  if (!isListenError(error)) return undefined;
  const problem = PROBLEMS[error.code];
  return problem ? `${problem(error.port)} (${error.code}).` : error.message;
}

function isListenError(error: unknown): error is ListenError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
