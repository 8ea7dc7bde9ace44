/** An error response; serialized as the Error object of the description. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new HttpError(400, 'bad_request', message);
export const forbidden = (message: string) => new HttpError(403, 'forbidden', message);
export const notFound = (message: string) => new HttpError(404, 'not_found', message);
export const unprocessable = (message: string) => new HttpError(422, 'unprocessable', message);
export const unauthenticated = (scheme: 'Basic' | 'Bearer', message: string) =>
  new HttpError(401, 'unauthenticated', message, { 'www-authenticate': `${scheme} realm="demo"` });
