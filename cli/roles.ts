import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { UsageError } from './terminal.ts';

/** The roles of a flag, `finance,reader`. @throws UsageError names what may be given */
export function rolesOf<R extends Role>(flag: string, known: readonly R[], text: string): R[] {
  const isKnown = (role: string): role is R => (known as readonly string[]).includes(role);
  const given = text.split(',');
  if (given.every(isKnown)) return given;
  throw new UsageError(`${flag} ${text} is not known`, `Give one or more of: ${known.join(',')}`);
}
