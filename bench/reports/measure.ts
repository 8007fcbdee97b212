import type pg from 'pg';
import { residentMegabytes } from '../cpu.ts';
import { findDatabase, openDatabase } from '../database.ts';
import type { KeyName } from '../keys.ts';
import { type Call, openCaller } from '../load/callers.ts';
import { proveTheQueries } from '../proof.ts';
import { type ServiceProcess, startTheService } from '../service_process.ts';
import { openRandom, type Random } from '../setup/random.ts';
import { copyRaw, download } from './file.ts';
import { openReportsHouse, type ReportsHouse } from './house.ts';
import { comparePages } from './page.ts';
import { makeReport, readReport } from './report.ts';

const reportKeys = [
  'recon_1m_seconds',
  'recon_read_ms',
  'csv_1m_vs_copy',
  'csv_1m_peak_rss_mb',
  'page_1m_vs_10k_p50',
] as const satisfies readonly KeyName[];
type ReportKey = (typeof reportKeys)[number];

/** Whether a key is a figure of the long book. */
export const isReportKey = (key: KeyName): key is ReportKey =>
  (reportKeys as readonly string[]).includes(key);

type Say = (line: string) => void;
const seed = 20_260_101;

/** Both ways, so that whoever comes second gains by it as often. */
async function compareFiles(
  service: ServiceProcess,
  client: pg.Client,
  house: ReportsHouse,
  url: string,
) {
  const before = await copyRaw(client, house);
  const { seconds, peakMb } = await download(service, url);
  const after = await copyRaw(client, house);
  return { seconds, peakMb, rawSeconds: (before + after) / 2 };
}

interface Scene {
  readonly service: ServiceProcess;
  readonly client: pg.Client;
  readonly call: Call;
  readonly house: ReportsHouse;
  readonly random: Random;
  readonly say: Say;
}

const listed = (figure: number | undefined) => (figure === undefined ? [] : [figure]);
type Figures = Partial<Record<ReportKey, number>>;

/** A day's report made, read back and downloaded. */
async function holdReport({ service, client, call, house, say }: Scene): Promise<Figures> {
  const madeSeconds = await makeReport(client, call, house);
  const { report, ms } = await readReport(call, house);
  const baseMb = residentMegabytes([service.pid]) ?? Number.NaN;
  const file = await compareFiles(service, client, house, report.file.download_url);
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

/** Pages of both accounts. */
async function holdPages({ call, house, random, say }: Scene): Promise<Figures> {
  const { longMs, shortMs } = await comparePages(call, house, random);
  say(`pages in ${longMs.toFixed(2)} ms and ${shortMs.toFixed(2)} ms`);
  return { page_1m_vs_10k_p50: longMs / shortMs };
}

/**
 * Rounds of a day's report, its file and pages, by a service that has done nothing else, on a book of
 * more than a million movements that is held to its invariants in the end. A round goes ahead
 * uncounted.
 */
export async function measureReports(
  folder: string,
  rounds: number,
  say: Say,
): Promise<Record<ReportKey, number[]>> {
  const house = await openReportsHouse(folder, say);
  const service = await startTheService({ dataDir: house.dataDir });
  const client = await openDatabase(await findDatabase(house.dataDir), 'postgres');
  const { call, close } = await openCaller(service.port);
  const random = openRandom(seed);
  const lists = Object.fromEntries(reportKeys.map((key) => [key, []])) as unknown as Record<
    ReportKey,
    number[]
  >;
  const scene = { service, client, call, house, random, say };
  // All files first: what a million of anything else leaves in memory is not theirs.
  for (const hold of [holdReport, holdPages])
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await hold(scene);
      for (const key of reportKeys) if (round > 0) lists[key].push(...listed(figures[key]));
    }
  const started = performance.now();
  const held = await proveTheQueries(client);
  const seconds = (performance.now() - started) / 1000;
  say(`the book of a million holds: ${held} invariants in ${seconds.toFixed(1)} s`);
  close();
  await client.end();
  await service.stop();
  return lists;
}
