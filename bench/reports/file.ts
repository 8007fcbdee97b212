import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { copyOf, settings } from '../../service/resources/reconciliation/copy.ts';
import type { ReportRow } from '../../service/resources/reconciliation/table.ts';
import type { ServiceProcess } from '../service_process.ts';
import { dayPostings, type ReportsSetup } from './setup.ts';

const kilobytesPerMegabyte = 1024;
/** Resets the peak of resident memory (proc(5)). */
const resetPeak = '5';

/** Discards bytes and counts lines. */
function openSink() {
  let lines = 0;
  const newline = '\n'.charCodeAt(0);
  const stream = new Writable({
    write(bytes: Buffer, _encoding, done) {
      for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1))
        lines += 1;
      done();
    },
  });
  return { stream, lines: () => lines };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function assertLines(lines: number, wanted: number): void {
  if (lines !== wanted) throw new Error(`${lines} lines came of ${wanted}`);
}

/** Reads the rows of the file by COPY and discards them. @returns seconds */
export async function copyRaw(client: pg.Client, setup: ReportsSetup): Promise<number> {
  const { rows } = await client.query<ReportRow>(
    'select * from reconciliation_reports where tenant_id = $1 and day = $2',
    [setup.tenantId, setup.day],
  );
  const [report] = rows;
  if (!report) throw new Error('no report');
  const { stream, lines } = openSink();
  await client.query(`begin; ${settings}`);
  const copy = client.query(copyTo(copyOf(setup.tenantId, report)));
  const seconds = await timed(() => pipeline(copy, stream));
  await client.query('commit');
  assertLines(lines(), dayPostings);
  return seconds;
}

/** The peak of the process's resident memory since the last reset, in MB. */
function peakMegabytes(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / kilobytesPerMegabyte;
}

/**
 * Downloads the file from the service. @returns seconds, and the service's peak memory in MB; NaN
 * when unknown
 */
export async function download({ pid, port }: ServiceProcess, url: string) {
  const { stream, lines } = openSink();
  const canReset = process.platform === 'linux';
  if (canReset) writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
  const seconds = await timed(async () => {
    const path = new URL(url).pathname;
    const reply = await new Promise<IncomingMessage>((resolve, reject) =>
      get({ host: '127.0.0.1', port, path }, resolve).once('error', reject),
    );
    if (reply.statusCode !== 200) throw new Error(`the file: ${reply.statusCode}`);
    await pipeline(reply, stream);
  });
  // The file also has a header and a line of totals.
  assertLines(lines(), dayPostings + 2);
  return { seconds, peakMb: canReset ? peakMegabytes(pid) : Number.NaN };
}
