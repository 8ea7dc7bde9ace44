import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';
import { startDemoService } from '../../support/rest-service.mjs';

test.each([
  ['a read', DEBTORS, undefined],
  ['a write', ...WRITES.unmarkTaskCompleted],
  ['a token call', ...WRITES.introspectToken],
])(
  'a redirect of %s is not followed, so that no credential goes elsewhere',
  async (_what, operation, headers) => {
    const gateway = await freshGateway();
    const elsewhere = await startDemoService();
    // 307 preserves the method, so a client that follows redirects would repeat a write.
    const elsewhereHeaders = { location: `${elsewhere.url}/v1/debtors` };
    gateway.rest.misbehave({ kind: 'status', status: 307, headers: elsewhereHeaders });
    const answer = await gateway.query(operation, {}, headers);
    await elsewhere.close();
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.text).not.toContain(elsewhere.url);
    expect(elsewhere.calls).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(1);
  },
);
