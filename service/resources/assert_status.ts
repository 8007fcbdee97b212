import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { fail } from '@tenant-payments/engine/fail.ts';

/** The statuses from which one of these moves is possible. */
export const statusesFor = (
  { moves }: Pick<Lifecycle, 'moves'>,
  names: readonly string[],
): readonly string[] => [...new Set(names.flatMap((name) => moves[name]?.from ?? []))];

/**
 * For a command that chooses its move by the status: the refusal names every status that it takes.
 * @throws ApiError invalid_state
 */
export function assertStatus<M extends Lifecycle['moves']>(
  { moves }: { readonly moves: M },
  status: string,
  names: readonly (keyof M & string)[],
): void {
  const allowed = statusesFor({ moves }, names);
  if (!allowed.includes(status))
    throw fail('invalid_state', { details: { current_status: status, allowed } });
}
