import { clockKillProof } from '../faults/processes/clock_kill.ts';
import { commitProof } from '../faults/database/commit.ts';
import { crashProof } from '../faults/crash/proof.ts';
import { databaseHolesProof } from '../faults/database/holes.ts';
import { databaseKillProof } from '../faults/database/kill.ts';
import { databaseTerminateProof } from '../faults/database/terminate.ts';
import { diskFullProof } from '../faults/database/disk_full.ts';
import { workersKillProof } from '../faults/processes/workers_kill.ts';
import { workersPeriodsProof } from '../faults/processes/workers_periods.ts';
import { explorerProof } from '../ledger/explorer/explorer.ts';
import { modelProof } from '../ledger/model/run.ts';
import { aloneProof } from '../tenants/alone.ts';
import type { Proof } from './proof.ts';

/** Every long proof, in the order of docs/reliability.md. */
export const proofs: readonly Proof[] = [
  crashProof,
  commitProof,
  databaseKillProof,
  databaseTerminateProof,
  databaseHolesProof,
  diskFullProof,
  workersKillProof,
  workersPeriodsProof,
  clockKillProof,
  modelProof,
  explorerProof,
  aloneProof,
];
