import { statfsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import type pg from 'pg';

/** The machine that the figures were taken on, as the JSON's `machine`. */
export type Machine = Readonly<Record<string, string | number>>;

const bytesPerGigabyte = 2 ** 30;
/** statfs(2): files in memory, where an fsync costs nothing. */
const memoryFilesystems = new Set([0x01021994, 0x858458f6]);

const serverSettings = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
  'jit',
] as const;

/** A server that does not wait for its disk measures something else. */
const mustBeOn = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/** The load of the last minute: if it is higher than the bench's own load, another program was busy. */
export const loadAverage = (): number => Number((loadavg()[0] ?? 0).toFixed(2));

export function machineFacts(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / bytesPerGigabyte),
    kernel: `${process.platform} ${release()}`,
    load_average_before: loadAverage(),
    node: process.version,
  };
}

/** @throws one line when the folder lies in memory */
export function assertOnDisk(folder: string): void {
  if (memoryFilesystems.has(statfsSync(folder).type))
    throw new Error(`${folder} lies in memory; set TMPDIR to a folder on a disk`);
}

/**
 * The server's version and the settings that decide about speed.
 * @throws one line when the server is not durable
 */
export async function serverFacts(client: pg.Client): Promise<Machine> {
  const facts: Record<string, string> = {};
  for (const name of ['server_version', ...serverSettings]) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [
      name,
    ]);
    facts[name === 'server_version' ? 'postgresql' : name] = rows[0]?.value ?? '';
  }
  for (const name of mustBeOn)
    if (facts[name] !== 'on') throw new Error(`${name} is ${facts[name]}: nothing is measured so`);
  return facts;
}
