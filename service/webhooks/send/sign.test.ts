import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signature } from './sign.ts';

const body = '{"id":"evt_1","note":"Grüße"}';

test('a signature is t and one v1 for each secret, over the timestamp, a full stop and the body', () => {
  const v1 = (secret: string) =>
    createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(Buffer.from(`1700000000.${body}`, 'utf8'))
      .digest('hex');
  expect(signature(body, ['whsec_a', 'whsec_b'], 1_700_000_000)).toBe(
    `t=1700000000,v1=${v1('whsec_a')},v1=${v1('whsec_b')}`,
  );
});

test('a signature is the same as that of openssl', () => {
  // printf '1.{}' | openssl dgst -sha256 -hmac whsec_test
  expect(signature('{}', ['whsec_test'], 1)).toBe(
    't=1,v1=7500d5d4be4b3ef07af1fe56f7d522d135cdaa7530de557e67cc1049c52de094',
  );
});
