import type { Call } from './session.ts';

type Sent = Pick<Call, 'parameters'> & { readonly body: NonNullable<Call['body']> };

export function formBody(parameters: { readonly [name: string]: string }): Sent {
  const text = new URLSearchParams(parameters).toString();
  return { parameters: () => parameters, body: { type: 'application/x-www-form-urlencoded', text } };
}

/** A JSON body. The parameter named in `secret` is sent, but redacted in what is shown. */
export function jsonRequestBody(parameters: { readonly [name: string]: unknown }, secret = ''): Sent {
  const body = { type: 'application/json', text: JSON.stringify(parameters) };
  const value = parameters[secret];
  if (value === undefined) return { parameters: () => parameters, body };
  const shown = { ...parameters, [secret]: '[secret]' };
  return { parameters: () => shown, body: { ...body, secrets: [String(value)] } };
}
