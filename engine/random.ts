import { randomBytes } from 'node:crypto';

const blockBytes = 65_536;
let block = Buffer.alloc(0);
let used = 0;

/**
 * Random bytes, each given once. They are drawn in blocks: a call of the generator costs more than
 * the few bytes of an id, a nonce or a secret.
 */
export function takeRandom(count: number): Buffer {
  if (used + count > block.length) {
    block = randomBytes(blockBytes);
    used = 0;
  }
  used += count;
  return block.subarray(used - count, used);
}
