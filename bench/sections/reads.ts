import { openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { prepareLoad } from '../loads.ts';
import { compareReads } from '../reads/compare.ts';
import { runTable } from '../report.ts';
import { equalTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const tenants = { count: 1, payers: 40, merchants: 20 };
/** Every account has more than a page of Transactions. */
const payments = 3_000;
const kind = { load: 'pairs', clients: 64, spread: 'uniform', processes: 1 } as const;

/** Reads over HTTP beside the same selects alone. */
export const readSection: Section = {
  keys: ['balance_c32_vs_select', 'list_c32_vs_select'],
  async measure({ folder, rounds, say }) {
    const needs = { needsReference: false, needsSecond: false, canProfile: false };
    const furnish = equalTenants(tenants);
    const bench = await openBench({ dataDir: folder, ...needs, say, furnish });
    try {
      await (await prepareLoad(bench, kind, payments))();
      await bench.client.query('vacuum analyze');
      const balance = await compareReads(bench, 'balance', rounds);
      const list = await compareReads(bench, 'list', rounds);
      for (const { held } of [balance, list]) say(runTable({ runs: held }));
      await checkLedger(bench.database);
      return { balance_c32_vs_select: balance.ratios, list_c32_vs_select: list.ratios };
    } finally {
      await bench.close();
    }
  },
};
