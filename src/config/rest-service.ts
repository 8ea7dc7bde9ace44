import type { Environment, SettingReader } from './reader.ts';
import { SETTINGS } from './settings.ts';

/** Only this machine reaches what listens on these. */
const LOOPBACK = /^(?:localhost|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i;

/**
 * Without REST_URL the embedded service stands behind the gateway, which is right for trying it and wrong in production:
 * it answers everything, with made-up data. So there it has to be asked for.
 */
export function checkRestService(reader: SettingReader, env: Environment): void {
  if (reader.isGiven(SETTINGS.restUrl)) return;
  const reason = productionSign(reader, env);
  if (reason === undefined) return;
  reader.faults.push(
    `REST_URL is not set, but ${reason}: set REST_URL to the address of the REST service, or to embedded for made-up data.`,
  );
}

function productionSign(reader: SettingReader, { NODE_ENV }: Environment): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  return LOOPBACK.test(reader.value(SETTINGS.host)) ? undefined : 'HOST lets other machines in';
}
