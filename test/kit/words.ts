import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';

/**
 * Holds the words of stored texts to what they were.
 * @param kept how many there were, and their hash: whoever adds words adds a line, and changes none
 */
export function testWords(
  words: readonly string[],
  kept: readonly (readonly [count: number, hash: string])[],
): void {
  describe('the words', () => {
    test.each(kept)('the first %i are as they ever were', (count, hash) => {
      const text = words.slice(0, count).join('\n');
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    });

    test('each is there once', () => {
      expect(new Set(words).size).toBe(words.length);
      expect(kept.at(-1)?.[0]).toBe(words.length);
    });
  });
}
