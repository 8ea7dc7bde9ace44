import type { Call } from './session.ts';

type Sent = Pick<Call, 'parameters'> & { readonly body: NonNullable<Call['body']> };

export function formBody(parameters: { readonly [name: string]: string }): Sent {
  const text = new URLSearchParams(parameters).toString();
  return { parameters, body: { type: 'application/x-www-form-urlencoded', text } };
}

/** A JSON body. Parameters named in `secret` are sent, but redacted in what is shown. */
export function jsonRequestBody(
  parameters: { readonly [name: string]: unknown },
  secret: readonly string[] = [],
): Sent {
  const shown: Record<string, unknown> = { ...parameters };
  const secrets: string[] = [];
  for (const name of secret) {
    if (shown[name] === undefined) continue;
    secrets.push(String(shown[name]));
    shown[name] = '[secret]';
  }
  return { parameters: shown, body: { type: 'application/json', text: JSON.stringify(parameters), secrets } };
}
