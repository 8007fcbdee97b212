/** An entry of a table of texts: a text, or a function that makes one of names and sums. */
export type Leaf = string | ((...given: unknown[]) => string);

/** Every text of a table by its key, `confirm.title.payment`, in its order. */
export function leavesOf(table: object, path = ''): readonly (readonly [key: string, Leaf])[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return typeof value === 'object' ? leavesOf(value, at) : [[at, value as Leaf] as const];
  });
}
