import { demoCredentials } from './applications.ts';
import { startDemoService } from './service.ts';

const { PORT = 4001, EMBEDDED_CHANGES_MS } = process.env;
const changesMs = Number(EMBEDDED_CHANGES_MS || 3000);
const { url, close } = await startDemoService({ port: Number(PORT), changesMs });

console.log(`The demo REST service listens on ${url}

Credentials (they work nowhere else):
${JSON.stringify(demoCredentials, null, 2)}

Try:
curl -H 'Authorization: Bearer ${demoCredentials.tokens.companyA}' '${url}/v1/debtors?administration_id=1001&per_page=2'`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
