import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { openVault } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { provePeers } from './prove_peers.ts';

const ring: KeyRing = [{ id: 'test', key: randomBytes(32) }];
const indexKey = randomBytes(32);
const cell = (name: string, key: Buffer) => ({ cell: name, vault: openVault(ring, key) });

test('cells with one key of indexes are served together', () => {
  expect(() => provePeers([cell('public', indexKey)])).not.toThrow();
  expect(() => provePeers([cell('public', indexKey), cell('cell_b', indexKey)])).not.toThrow();
});

test('a cell that was made with a key of its own is named, and served by nobody with the others', () => {
  const cells = [
    cell('public', indexKey),
    cell('cell_b', indexKey),
    cell('cell_c', randomBytes(32)),
  ];
  expect(() => provePeers(cells)).toThrow(
    'CELLS: cell_c has another index key than public, so it needs a process of its own',
  );
});
