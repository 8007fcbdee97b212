import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlOf } from '../../service/db/embedded_running.ts';
import { type Bench, openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { prepareLoad } from '../loads.ts';
import { runKinds } from '../measure/runs.ts';
import { type ServiceProcess, startService } from '../service_process.ts';
import { fewTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const allKey = 'traces_all_cpu';
const shareKey = 'traces_share_cpu';
const payments = 12_000;

/** Takes whatever is sent, and reads none of it. */
async function startSink() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** The settings of each process beside the first: no traces, the usual hundredth of them, all. */
const settingsOf = (url: string) =>
  [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_on' },
  ] as const;

/** @returns microseconds of processor time for a payment of each process, in their order */
async function hold(bench: Bench, services: readonly ServiceProcess[], forwards: boolean) {
  const held = new Map<ServiceProcess, number>();
  for (const service of forwards ? services : services.toReversed()) {
    const run = await prepareLoad({ ...bench, service }, runKinds.payments_c128, payments);
    held.set(service, (await run()).serviceCpu);
  }
  return services.map((service) => held.get(service) ?? Number.NaN);
}

/** The cost of traces to the process that sends them (rules/operations#92). */
export const traceSection: Section = {
  keys: [allKey, shareKey],
  async measure({ folder, rounds, say }) {
    const needs = { needsReference: false, needsSecond: false, canProfile: false };
    const bench = await openBench({ dataDir: folder, ...needs, say, furnish: fewTenants });
    const sink = await startSink();
    const databaseUrl = urlOf(bench.database, 'postgres');
    const services: ServiceProcess[] = [];
    try {
      for (const more of settingsOf(sink.url))
        services.push(await startService({ dataDir: folder, databaseUrl, more }));
      await hold(bench, services, true);
      const [all, share]: [number[], number[]] = [[], []];
      for (let round = 1; round <= rounds; round += 1) {
        const [none = 0, some = 0, every = 0] = await hold(bench, services, round % 2 === 1);
        const told = [none, some, every].map((micros) => micros.toFixed(0)).join(', ');
        say(`round ${round}: ${told} µs a payment, without traces, with a hundredth, with all`);
        share.push(some / none);
        all.push(every / none);
      }
      const { checked } = await checkLedger(bench.database);
      say(`every invariant holds: ${checked} rows checked`);
      return { [allKey]: all, [shareKey]: share };
    } finally {
      for (const service of services) await service.stop();
      await bench.close();
      sink.stop();
    }
  },
};
