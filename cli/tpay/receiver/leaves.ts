/** The state that an application shows, taken apart so that two ends of it can be compared. */

/** Values by the path at which they stand. */
export type Leaves = ReadonlyMap<string, unknown>;

const wireId = /\b([a-z]{2,5})_[0-9a-f]{32}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** The same for each record: ids by their kind, times as one. */
export const alike = (text: unknown): string =>
  String(JSON.stringify(text)).replaceAll(wireId, '<$1>').replaceAll(time, '<time>');

/** An element of a list is known by its id, or by itself where it is text; by its place where it is neither. */
function nameOf(element: unknown, index: number): string {
  if (typeof element === 'string') return element;
  const own = Array.isArray(element) ? element[0] : (element as { id?: unknown } | null)?.id;
  return typeof own === 'string' ? own : String(index);
}

/** JSON, or words between spaces, commas and semicolons. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.split(/[\s,;]+/).filter((word) => word !== '');
  }
}

export function leavesOf(text: string): Leaves {
  const leaves = new Map<string, unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) leaves.set(path, value);
    else if (Array.isArray(value))
      for (const [i, element] of value.entries()) walk(element, `${path}/${nameOf(element, i)}`);
    else for (const [name, field] of Object.entries(value)) walk(field, `${path}/${name}`);
  };
  walk(parsed(text), '');
  return leaves;
}

/** The lines that are shown in `after` alone, alike for each record. */
const added = (before: Leaves, after: Leaves): string[] =>
  [...after]
    .filter(([path]) => !before.has(path))
    .map(([path, value]) => `${alike(path)}: ${alike(value)}`)
    .sort();

/** A value that stands in all three: it ends as the same, or counts as far. */
function isSameStep(before: unknown, middle: unknown, end: unknown): boolean {
  if (alike(middle) === alike(end)) return true;
  const counts = [before, middle, end];
  if (!counts.every((count): count is number => typeof count === 'number')) return false;
  const [first, second, third] = counts as [number, number, number];
  return second - first === third - second;
}

/**
 * Whether the step from `before` to `middle` came to the same as the one from there to `end`, each with records of
 * its own. @returns the first place where it did not; null: it did
 */
export function firstDifference(before: Leaves, middle: Leaves, end: Leaves): string | null {
  for (const [path, value] of middle)
    if (before.has(path) && end.has(path) && !isSameStep(before.get(path), value, end.get(path)))
      return `${alike(path)} is ${alike(value)} and not ${alike(end.get(path))}`;
  const [late, inOrder] = [added(before, middle), added(middle, end)];
  const missing = inOrder.find((line) => !late.includes(line));
  if (missing !== undefined) return `${missing} is missing`;
  const more = late.find((line) => !inOrder.includes(line));
  if (more !== undefined) return `${more} is there`;
  return late.length === inOrder.length ? null : 'as many are not shown';
}
