import { proofTest } from '../../prove/proof.ts';
import { faultsIn, playModel } from './play.ts';

/** `TENANT` repeats the tenant that a violation names, with the `SEED` beside it. */
const { TENANT } = process.env;
const only = TENANT === undefined ? {} : { only: Number(TENANT) };
const cells = ['cell_a', 'cell_b', 'cell_c'];

proofTest(
  'operations over three cells in two processes, between which tenants are moved, have what the model predicts',
  500,
  (context) => playModel({ ...context, faults: faultsIn(context.rounds), cells, ...only }),
);
