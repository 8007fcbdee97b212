/** The value of a closed table under a word from outside; undefined where it has none: `constructor` is no word. */
export const ownValue = <T extends object>(table: T, word: string): T[keyof T] | undefined =>
  Object.hasOwn(table, word) ? table[word as keyof T] : undefined;
