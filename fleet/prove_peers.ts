import type { Service } from '@tenant-payments/service/service.ts';

/** Cells that were made before they shared a key do not know each other's tokens. */
const probe = ['00000000-0000-0000-0000-000000000000', 'peers'] as const;

/** @throws one line where cells cannot be served by one process (rules/cells#10) */
export function provePeers([first, ...others]: readonly Pick<Service, 'cell' | 'vault'>[]): void {
  const stranger = others.find(
    ({ vault }) => vault.index(...probe) !== first?.vault.index(...probe),
  );
  if (stranger)
    throw new Error(
      `CELLS: ${stranger.cell} has another index key than ${first?.cell}, so it needs a process of its own`,
    );
}
