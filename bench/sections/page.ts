import { openCaller } from '../load/callers.ts';
import { freshKey } from '../load/requests.ts';
import { paintAll } from '../page/first_paint.ts';
import { median } from '../report.ts';
import { type ServiceProcess, startService } from '../service_process.ts';
import { equalTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const tenants = { count: 1, payers: 1, merchants: 1 };
const pagesInRound = 3;

interface Created {
  readonly confirmation_session: { readonly token: string };
}

/** The addresses of so many payments that their payer may confirm. */
async function confirmPages(service: ServiceProcess, count: number): Promise<string[]> {
  const [people] = await equalTenants(tenants)(service);
  if (!people) throw new Error('no tenant');
  const { call, close } = await openCaller(service.port);
  const { token } = people.tenant;
  const [payer_customer_id] = people.payers;
  const [payee_customer_id] = people.merchants;
  const body = { payer_customer_id, payee_customer_id, amount: 2_400, source: 'balance' };
  const urls: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const idempotencyKey = freshKey();
    const request = { method: 'POST', path: '/v1/payments', token, body, idempotencyKey } as const;
    const { confirmation_session: session } = (await call(request, 201)) as Created;
    urls.push(`http://localhost:${service.port}/hosted#${session.token}`);
  }
  close();
  return urls;
}

/** The hosted page on which a payment is confirmed, on a phone of the middle. */
export const pageSection: Section = {
  keys: ['page_first_paint_ms'],
  async measure({ folder, rounds, say }) {
    const service = await startService({ dataDir: folder });
    const urls = await confirmPages(service, pagesInRound * (rounds + 1));
    const paints = await paintAll(urls);
    await service.stop();
    const medians = Array.from({ length: rounds + 1 }, (_, round) => {
      const held = paints.slice(round * pagesInRound, (round + 1) * pagesInRound);
      return median(held.map(({ firstMs }) => firstMs));
    });
    const [last] = paints.slice(-1);
    say(
      `the page loads ${last?.files} files; ` +
        `the heading came after ${median(paints.map(({ headingMs }) => headingMs)).toFixed(0)} ms`,
    );
    // The first round warms up the browser.
    return { page_first_paint_ms: medians.slice(1) };
  },
};
