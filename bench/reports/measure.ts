import type pg from 'pg';
import { findDatabase } from '../../service/db/embedded_running.ts';
import { openDatabase } from '../database.ts';
import type { KeyName } from '../keys.ts';
import { checkQueries } from '../ledger_check.ts';
import { type Call, openCaller } from '../load/callers.ts';
import { residentMegabytes } from '../measure/cpu.ts';
import type { Section, SectionOrder } from '../sections/section.ts';
import { type ServiceProcess, startService } from '../service_process.ts';
import { openRandom, type Random } from '../setup/random.ts';
import { copyRaw, download } from './file.ts';
import { comparePages } from './page.ts';
import { makeReport, readReport } from './report.ts';
import { openReportsSetup, type ReportsSetup } from './setup.ts';

const reportKeys = [
  'recon_1m_seconds',
  'recon_read_ms',
  'csv_1m_vs_copy',
  'csv_1m_peak_rss_mb',
  'page_1m_vs_10k_p50',
] as const satisfies readonly KeyName[];
type ReportKey = (typeof reportKeys)[number];

type Say = (line: string) => void;
const seed = 20_260_101;

/** Reads by COPY before and after the download, so that warm caches help both equally. */
async function compareFiles(
  service: ServiceProcess,
  client: pg.Client,
  setup: ReportsSetup,
  url: string,
) {
  const before = await copyRaw(client, setup);
  const { seconds, peakMb } = await download(service, url);
  const after = await copyRaw(client, setup);
  return { seconds, peakMb, rawSeconds: (before + after) / 2 };
}

interface Context {
  readonly service: ServiceProcess;
  readonly client: pg.Client;
  readonly call: Call;
  readonly setup: ReportsSetup;
  readonly random: Random;
  readonly say: Say;
}

const listed = (figure: number | undefined) => (figure === undefined ? [] : [figure]);
type Figures = Partial<Record<ReportKey, number>>;

/** Makes a day's report, reads it back and downloads its file. */
async function measureReport({ service, client, call, setup, say }: Context): Promise<Figures> {
  const madeSeconds = await makeReport(client, call, setup);
  const { report, ms } = await readReport(call, setup);
  const baseMb = residentMegabytes([service.pid]) ?? Number.NaN;
  const file = await compareFiles(service, client, setup, report.file.download_url);
  say(
    `report made in ${madeSeconds.toFixed(2)} s, read in ${ms.toFixed(1)} ms; ` +
      `file ${file.seconds.toFixed(2)} s, raw ${file.rawSeconds.toFixed(2)} s; ` +
      `memory ${baseMb.toFixed(0)} MB before and ${file.peakMb.toFixed(0)} MB at most`,
  );
  return {
    recon_1m_seconds: madeSeconds,
    recon_read_ms: ms,
    csv_1m_vs_copy: file.seconds / file.rawSeconds,
    csv_1m_peak_rss_mb: file.peakMb,
  };
}

/** Reads pages of both accounts. */
async function measurePages({ call, setup, random, say }: Context): Promise<Figures> {
  const { longMs, shortMs } = await comparePages(call, setup, random);
  say(`pages in ${longMs.toFixed(2)} ms and ${shortMs.toFixed(2)} ms`);
  return { page_1m_vs_10k_p50: longMs / shortMs };
}

/**
 * Rounds of a day's report, its file and pages, on a ledger of more than a million movements, whose
 * invariants are checked at the end. The first round is not counted.
 */
async function measure({
  folder,
  rounds,
  say,
}: SectionOrder): Promise<Record<ReportKey, number[]>> {
  const setup = await openReportsSetup(folder, say);
  const service = await startService({ dataDir: setup.dataDir });
  const client = await openDatabase(await findDatabase(setup.dataDir), 'postgres');
  const { call, close } = await openCaller(service.port);
  const random = openRandom(seed);
  const lists = Object.fromEntries(reportKeys.map((key) => [key, []])) as unknown as Record<
    ReportKey,
    number[]
  >;
  const scene = { service, client, call, setup, random, say };
  // Files first, so that their memory peak contains nothing of the other measurements.
  for (const hold of [measureReport, measurePages])
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await hold(scene);
      for (const key of reportKeys) if (round > 0) lists[key].push(...listed(figures[key]));
    }
  const started = performance.now();
  const held = await checkQueries(client);
  const seconds = (performance.now() - started) / 1000;
  say(`${held} invariants of the ledger hold, checked in ${seconds.toFixed(1)} s`);
  close();
  await client.end();
  await service.stop();
  return lists;
}

/** Figures of a ledger with a million movements. */
export const reportSection: Section = { keys: reportKeys, measure };
