import { expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../../test/kit/seed.ts';
import { testWords } from '../../../test/kit/words.ts';
import { signature } from '../send/sign.ts';
import { type PackedHeaders, packHeaders, unpackHeaders } from './header_text.ts';
import { words } from './words.ts';

const seed = seedOf(process.env);

testWords(words, [
  [148, '7bb5aa925f4b4ad9278a56010d5cd4a5f7c78c7701f7aa5432e6099994e140ac'],
  [151, '224845b410195b69bf29adf90266d0e7b860f3433e61c5a42a1d2aaa89f29033'],
]);

test('packed headers of an attempt unpack to the same in the same order, from a third of what they were without the signature', () => {
  const sent = {
    'content-type': 'application/json',
    'user-agent': 'tenant-payments-webhooks/1',
    'service-signature': signature('{}', ['whsec_1'], 1_795_708_124),
  };
  const received = {
    'content-type': 'text/plain; charset=utf-8',
    date: 'Thu, 26 Nov 2026 15:47:10 GMT',
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
    'content-length': '2',
  };
  for (const headers of [sent, received]) {
    const packed = packHeaders(headers);
    expect(Object.entries(unpackHeaders(packed))).toEqual(Object.entries(headers));
    const [digest, packedDigest] = headers === sent ? [64, 44] : [0, 0];
    const rest = JSON.stringify(headers).length - digest;
    expect(packed.length - packedDigest).toBeLessThan(rest / 3);
  }
});

test(`any headers unpack to the same (SEED=${seed})`, () => {
  const { below, pick } = choicesOf(seed, 'headers');
  const marks = ['"', '\\', '\t', '\u0001', '\u0019', '\u001a!', '\u001d', '\u001f'];
  const pieces = [...words, ...marks, '0123456789abcdef'.repeat(4), 'ÿ', 'a'];
  const text = () => Array.from({ length: below(8) }, () => pick(pieces)).join('');
  for (let round = 0; round < 10_000; round += 1) {
    const headers = Object.fromEntries(Array.from({ length: below(5) }, () => [text(), text()]));
    expect(unpackHeaders(packHeaders(headers))).toEqual(headers);
  }
});

test('headers that were stored before any were packed are read as they are', () => {
  const stored =
    '{"date": "Thu, 26 Nov 2026 15:47:10 GMT", "connection": "close"}' as PackedHeaders;
  expect(unpackHeaders(stored)).toEqual(JSON.parse(stored));
});
