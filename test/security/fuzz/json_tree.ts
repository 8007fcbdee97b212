/** JSON before it is written, so that a part of it can be what no JSON value is. */
export type Tree =
  | { readonly raw: string }
  | { readonly list: readonly Tree[] }
  /** In order; names may come twice. */
  | { readonly fields: readonly (readonly [name: string, value: Tree])[] };

/** A value as JSON writes it. */
export const raw = (value: unknown): Tree => ({ raw: JSON.stringify(value) ?? 'null' });

export function write(tree: Tree): string {
  if ('raw' in tree) return tree.raw;
  if ('list' in tree) return `[${tree.list.map(write).join(',')}]`;
  return `{${tree.fields.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`;
}

/** The place of a part: the index in each list or object on the way. */
export type Place = readonly number[];

const partsOf = (tree: Tree): readonly Tree[] => {
  if ('raw' in tree) return [];
  return 'list' in tree ? tree.list : tree.fields.map(([, value]) => value);
};

/** The places of the tree itself and of all its parts. */
export function placesOf(tree: Tree, above: Place = []): Place[] {
  const parts = partsOf(tree);
  return [above, ...parts.flatMap((part, index) => placesOf(part, [...above, index]))];
}

/** The tree with another part, parts or none at a place. `name` is that of the field there. */
export function changedAt(
  tree: Tree,
  [first, ...rest]: Place,
  change: (part: Tree, name: string) => readonly (readonly [name: string, value: Tree])[],
): Tree {
  if (first === undefined) return change(tree, '')[0]?.[1] ?? raw(null);
  const put = (part: Tree, name: string) =>
    rest.length === 0 ? change(part, name) : [[name, changedAt(part, rest, change)] as const];
  if ('raw' in tree) return tree;
  if ('list' in tree)
    return {
      list: tree.list.flatMap((part, at) =>
        at === first ? put(part, 'item').map(([, value]) => value) : [part],
      ),
    };
  return {
    fields: tree.fields.flatMap((field, at) => (at === first ? put(field[1], field[0]) : [field])),
  };
}
