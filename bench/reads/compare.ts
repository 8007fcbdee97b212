import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { urlOf } from '../../service/db/embedded_running.ts';
import type { Bench } from '../bench.ts';
import { runLoopProcess } from '../load/database_loop.ts';
import { requestText } from '../load/requests.ts';
import { measuredSeconds, warmUpSeconds } from '../loads.ts';
import { watch } from '../measure/measure.ts';
import type { Run } from '../measure/runs.ts';
import { assertAll } from '../setup/payments.ts';
import { type AccountRow, type ReadName, reads, selectOf } from './selects.ts';

const clients = 32;
/** The factor by which there are more requests than the fastest run so far needed. */
const spare = 1.2;
const firstGuessPerSecond = 2_000;

/** Every account of a customer. */
async function accountsOf({ client }: Bench): Promise<AccountRow[]> {
  const { rows } = await client.query<AccountRow>('select tenant_id, id from accounts');
  return rows;
}

function watchAll({ service, database, client }: Bench, clientPid: () => number) {
  return watch(client, () => ({
    servicePids: [service.pid],
    postmasterPid: database.postmasterPid,
    clientPid: clientPid(),
  }));
}

/** Measures reads over HTTP, with requests enough for `perSecond`. */
async function overHttp(bench: Bench, name: ReadName, perSecond: number): Promise<Run> {
  const { service, maker, generator } = bench;
  const token = maker.allPeople[0]?.tenant.token ?? '';
  const texts = (await accountsOf(bench)).map(({ id }) => {
    const path = `/v1/accounts/${publicId('account', id)}${reads[name].path}`;
    return requestText(service.port, { method: 'GET', path, token });
  });
  const count = Math.ceil(perSecond * spare * (warmUpSeconds + measuredSeconds));
  const requests = Array.from({ length: count }, (_, index) => texts[index % texts.length] ?? '');
  const watched = watchAll(bench, () => generator.pid);
  const plan = { ports: [service.port], clients, requests, warmUpSeconds, wantsBodies: false };
  const report = await generator.run(plan, watched.events);
  assertAll(report, 200, count);
  const { answered, seconds, p50Ms, p99Ms } = report;
  return watched.result({ operations: answered, seconds, p50Ms, p99Ms });
}

/** The same select without the service. */
async function byPgAlone(bench: Bench, name: ReadName): Promise<Run> {
  const url = urlOf(bench.database, 'postgres');
  const selects = await Promise.all(
    (await accountsOf(bench)).map((account) => selectOf(name, account)),
  );
  const values = selects.map((select) => select.values);
  const text = selects[0]?.text ?? '';
  let clientPid = 0;
  const watched = watchAll(bench, () => clientPid);
  const plan = { url, clients, warmUpSeconds, seconds: measuredSeconds, text, values };
  const module = new URL('./select_process.ts', import.meta.url);
  const { transactions, seconds, p50Ms, p99Ms } = await runLoopProcess(
    module,
    plan,
    watched.events,
    (pid) => {
      clientPid = pid;
    },
  );
  return watched.result({ operations: transactions, seconds, p50Ms, p99Ms });
}

/** Runs of both in turns, by their names in the table of runs; a first one warms up. */
export async function compareReads(bench: Bench, name: ReadName, rounds: number) {
  let fastest = (await overHttp(bench, name, firstGuessPerSecond)).perSecond;
  const held: Readonly<Record<string, Run>>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const alone = round % 2 === 1 ? await byPgAlone(bench, name) : null;
    const http = await overHttp(bench, name, fastest);
    fastest = Math.max(fastest, http.perSecond);
    held.push({
      [`${name}_c32`]: http,
      [`${name}_pg_c32`]: alone ?? (await byPgAlone(bench, name)),
    });
  }
  const ratios = held.map(
    (runs) => (runs[`${name}_c32`]?.perSecond ?? 0) / (runs[`${name}_pg_c32`]?.perSecond ?? 0),
  );
  return { held, ratios };
}
