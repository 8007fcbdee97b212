/** A storage that lasts as long as its page. */
function inMemory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key),
  };
}

/**
 * Gives a page whose browser lets it store nothing one that forgets: there the mere touch of a storage throws, also
 * in a library, and the page would die of it.
 */
export function standInForStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    try {
      window[name].setItem('is_allowed', '');
      window[name].removeItem('is_allowed');
    } catch {
      Object.defineProperty(window, name, { value: inMemory(), configurable: true });
    }
}
