import { isRecord } from './json.ts';

export interface AnswerError {
  readonly message: string;
  readonly code: unknown;
  readonly path: readonly unknown[] | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export function errorsIn(body: unknown): AnswerError[] {
  if (!isRecord(body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter(isRecord).map(({ message, path, extensions: given }) => {
    const extensions = isRecord(given) ? given : {};
    return {
      message: String(message),
      code: extensions.code,
      path: Array.isArray(path) ? path : undefined,
      extensions,
    };
  });
}
