/** Lists all faults, so that they can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `- ${fault}`)].join('\n'));
    this.faults = faults;
  }
}
