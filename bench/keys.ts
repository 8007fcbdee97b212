import { otherKeys } from './keys/others.ts';
import { paymentKeys } from './keys/payments.ts';

/** Every figure of `npm run bench`, in the order of the printed table. */
export const keys = [...paymentKeys, ...otherKeys] as const;

export type KeyName = (typeof keys)[number]['key'];

/**
 * The keys that `--only` names, in full or by a common prefix; all without it.
 * @throws one line when a word matches no key
 */
export function chosenKeys(only: string | undefined): ReadonlySet<KeyName> {
  if (only === undefined) return new Set(keys.map(({ key }) => key));
  const found = new Set<KeyName>();
  for (const word of only.split(',')) {
    const named = keys.filter(({ key }) => word !== '' && key.startsWith(word));
    if (named.length === 0)
      throw new Error(
        `--only: "${word}" is not the start of any of ${keys.map(({ key }) => key).join(', ')}`,
      );
    for (const { key } of named) found.add(key);
  }
  return found;
}
