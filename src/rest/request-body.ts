import type { Call } from './session.ts';

type Sent = Pick<Call, 'parameters'> & { readonly body: NonNullable<Call['body']> };

/** Parameters that are sent, and redacted in what is shown. */
const SECRETS = ['token', 'refresh_token'];

export function jsonRequestBody(parameters: { readonly [name: string]: unknown }): Sent {
  const secret = SECRETS.find((name) => name in parameters);
  const secrets = secret === undefined ? [] : [String(parameters[secret])];
  const shown = secret === undefined ? parameters : { ...parameters, [secret]: '[secret]' };
  const body = { type: 'application/json', text: JSON.stringify(parameters), secrets };
  return { parameters: () => shown, body };
}

export function formBody(parameters: { readonly [name: string]: string }): Sent {
  const text = new URLSearchParams(parameters).toString();
  return { parameters: () => parameters, body: { type: 'application/x-www-form-urlencoded', text } };
}
