import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase64Url } from '../../src/schema/fields/cursor.ts';

test('bytes are encoded as a Buffer encodes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      expect(encodeBase64Url(buffer.toString('latin1'))).toBe(buffer.toString('base64url'));
    }),
  );
});
