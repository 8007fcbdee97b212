import { clockKillProof } from '../faults/clock_kill.ts';
import { commitProof } from '../faults/commit_cuts.ts';
import { crashProof } from '../faults/crash_proof.ts';
import { databaseHolesProof } from '../faults/database_holes.ts';
import { databaseKillProof } from '../faults/database_kill.ts';
import { databaseTerminateProof } from '../faults/database_terminate.ts';
import { diskFullProof } from '../faults/disk_full.ts';
import { workersKillProof } from '../faults/workers_kill.ts';
import { workersPeriodsProof } from '../faults/workers_periods.ts';
import { explorerProof } from '../ledger/explorer.ts';
import { modelProof } from '../ledger/model_proof.ts';
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
