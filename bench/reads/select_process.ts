import { type LoopPlan, obeyLoop } from '../load/database_loop.ts';

/** One select, with the values of each account. */
export interface SelectPlan extends LoopPlan {
  readonly text: string;
  readonly values: readonly (readonly unknown[])[];
}

let next = 0;

/** Reads and parses like other programs with `pg`. @throws when nothing is found */
obeyLoop<SelectPlan>(async (client, { text, values }) => {
  next += 1;
  const { rowCount } = await client.query(text, [...(values[next % values.length] ?? [])]);
  if (rowCount === 0) throw new Error('the select found nothing');
});
