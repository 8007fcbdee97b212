/** Bounds an `LRUCache` to so many entries. Its `max` would take 40 bytes for each of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
