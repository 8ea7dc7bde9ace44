import { describe, expect, test } from 'vitest';
import { useTextForms } from '../support/text-forms.ts';
import { times } from '../support/times.ts';

const { rest, expectSame } = await useTextForms();

describe('both forms of text read bodies alike', () => {
  const UPDATE = `mutation {
    updateMessages(input: { administrationId: "é", messages: [{ id: "1", read: true }] }) { errors { recordId messages } }
  }`;
  const LIST = `query ($first: Int) {
    debtors(administrationId: "é", first: $first) { edges { cursor node { id internalId name } } }
  }`;
  const JOIN = '{ deletedCreditCases(administrationId: "é") { nodes { id debtorId debtor { id name } } } }';
  const LONG = 'ü';
  const bodies: [what: string, rows: string | Buffer][] = [
    ['escapes', '{"id":"\\u00e9\\u0142","name":"No\\u00eblle \\ud83d\\ude00"}'],
    ['needless escapes', '{"\\u0069d":"\\u0031","name":"\\u0022\\/\\u2028"}'],
    ['escapes beside characters', '{"id":"é\\u00e9","name":"漢\\u6f22"}'],
    ['half a surrogate pair in a value', '{"id":"1","name":"\\ud800é\\udc00 😀"}'],
    ['half a surrogate pair in an id', '{"id":"\\ud800é","name":"x"},{"id":"2","name":"y"}'],
    ['invalid UTF-8', Buffer.from('{"id":"\xe9","name":"caf\xe9 \xf0\x9f"}', 'latin1')],
    ['control characters', '{"id":"\\u0000\\u001f\\u007f","name":"\\u0085"}'],
    ['an id of 1,000 bytes', `{"id":"${LONG.repeat(500)}","name":"x"}`],
    ['an id of 1,002 bytes', `{"id":"${LONG.repeat(501)}","name":"x"}`],
    ['an id of 1,002 bytes that is escaped', `{"id":"${'\\u20ac'.repeat(334)}","name":"x"}`],
    ['an id that is too long for a URL', `{"id":"${LONG.repeat(200)}","name":"x"}`],
    ['keys beyond ASCII', '{"id":"1","name":"x","nämë":"y"}'],
  ];
  const page = (rows: string | Buffer, pagination = 'null') =>
    Buffer.concat([
      Buffer.from('{"data":['),
      Buffer.from(rows),
      Buffer.from(`],"pagination":${pagination}}`),
    ]);

  test.each(bodies)('%s, in a list', async (_what, rows) => {
    for (const pagination of ['null', '{"cursor":"\\u00e9ł"}']) {
      rest.misbehave({ kind: 'body', body: page(rows, pagination), times: 99 });
      await expectSame(LIST, { first: pagination === 'null' ? 2 : 1 });
      rest.behave();
    }
  });

  test.each(bodies)('%s, in a join', async (_what, rows) => {
    const cases = Buffer.from(rows)
      .toString('latin1')
      .replaceAll('"id"', '"debtor_id"')
      .replaceAll('"name"', '"id"');
    const match = { path: /deleted$/ };
    rest.misbehave({ kind: 'body', body: page(Buffer.from(cases, 'latin1')), match, times: 99 });
    rest.misbehave({ kind: 'body', body: page(rows), match: { path: '/v1/debtors' }, times: 99 });
    await expectSame(JOIN);
  });

  test('an id that cannot be sent, which fails alone', async () => {
    const cases = '{"id":"1","debtor_id":"\\ud800é"},{"id":"2","debtor_id":"é"}';
    rest.misbehave({ kind: 'body', body: page(cases), match: { path: /deleted$/ }, times: 99 });
    const debtors = page('{"id":"é","name":"ł"}');
    rest.misbehave({ kind: 'body', body: debtors, match: { path: '/v1/debtors' }, times: 99 });
    const { data, errors } = JSON.parse(await expectSame(JOIN));
    expect(data.deletedCreditCases.nodes).toMatchObject([{ debtor: null }, { debtor: { name: 'ł' } }]);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
  });

  test('a batch with keys of any kind', async () => {
    const body =
      '{"success":true,"count":0,"errors":{"é":["ł","\\u00e9"],"\\ud83d\\ude00":"x","\\ud800":[]}}';
    rest.misbehave({ kind: 'body', body, times: 99 });
    const text = await expectSame(UPDATE);
    expect(text).toContain('{"recordId":"😀","messages":["x"]}');
  });

  test('what a token stands for', async () => {
    const body =
      '{"active":true,"scope":"r\\u00e9:read ł:漢  😀","company":{"id":"é","name":"ł"},"administrations":[{"id":"é","name":"ł"}]}';
    rest.misbehave({ kind: 'body', body, times: 99 });
    const text = await expectSame('{ viewer { scopes company { id name } administrations { id name } } }');
    expect(text).toContain('"scopes":["ré:read","ł:漢","😀"]');
  });

  test('a large one, and refuses one that is no UTF-8', async () => {
    const large = times(800, (index) => `{"id":"é${index}","name":"${'Łódź'.repeat(80)}"}`).join(',');
    rest.misbehave({ kind: 'body', body: page(large), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('Łódź');
    rest.behave();
    rest.misbehave({ kind: 'body', body: page(`${large},{"id":"z","name":"\\u00eb"}`), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('Łódź');
    rest.behave();
    rest.misbehave({ kind: 'body', body: page(Buffer.from(large, 'latin1')), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('UPSTREAM_INVALID_RESPONSE');
  });
});
