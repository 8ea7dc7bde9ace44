import { existsSync } from 'node:fs';
import { readConfig } from '../../../src/config/index.ts';
import { serveBuilt } from '../../support/serve.ts';
import { describeGraphiql } from './behaviour.ts';

const build = new URL('../../../dist/graphiql/', import.meta.url);

describeGraphiql('GraphiQL in a browser', {
  async start() {
    if (!existsSync(build)) throw new Error('dist/graphiql is missing: run "npm run build" before this test');
    const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []);
    const running = await serveBuilt(config);
    return { url: running.url, close: running.stop };
  },
  examples: [
    { operation: 'Debtors', answer: 'Noëlle IJzerman' },
    { operation: 'WhoOwesMost', answer: 'Stichting Beschermd Wonen Emmen' },
    { operation: 'TotalsByLabel', answer: '"count": 2369' },
    { operation: 'OpenAmountByCity', answer: '"sum"' },
    { operation: 'LinesByMonth', answer: '"key": "2024-' },
    { operation: 'DeletedCreditCases', answer: 'deletedAt' },
    { operation: 'LiveChanges' },
    { operation: 'DeclarationLines', answer: 'ACTION_REQUIRED' },
    { operation: 'DebtorByNumber', answer: 'bookOpenAmount' },
    { operation: 'Companies', answer: 'Zorggroep Noord' },
    { operation: 'UnmarkTask', answer: '"completedAt": null' },
    { operation: 'MarkMessages', answer: '"count": 1' },
    { operation: 'Viewer', answer: 'Zorggroep Noord' },
  ],
  variables: '"first": 10',
  restPath: '/v1/debtors',
  introduction: 'Nearly everything belongs to an administration',
  documented: { field: 'companies', description: 'The companies connected to the calling application.' },
});
