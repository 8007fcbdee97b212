/** Numbers of a setting such as `10,bank.take=20`: one for all names, and some of their own. */
interface Form<Name extends string> {
  readonly names: readonly Name[];
  /** The number of a name that has none of its own. */
  readonly usual: number;
  readonly longest: number;
}

const numberOf = (text: string, longest: number): number | null =>
  /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= longest ? Number(text) : null;

/** Reads `10`, `10,bank.take=20` or `bank.take=20`. @param refuse called for each part that is none */
export function numbersByName<Name extends string>(
  text: string | undefined,
  { names, usual, longest }: Form<Name>,
  refuse: () => void,
): Readonly<Record<Name, number>> {
  let forAll = usual;
  const own = new Map<Name, number>();
  for (const part of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [first = '', second, ...more] = part.split('=').map((one) => one.trim());
    const name = names.find((one) => one === first);
    const value = numberOf(second ?? first, longest);
    if (value === null || more.length > 0 || (second !== undefined && !name)) refuse();
    else if (name) own.set(name, value);
    else forAll = value;
  }
  return Object.fromEntries(names.map((name) => [name, own.get(name) ?? forAll])) as Record<
    Name,
    number
  >;
}
