/** A command line that cannot be parsed; the message is one sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(problem: string) {
    super(`${problem}; see receivables-graphql --help.`);
  }
}
