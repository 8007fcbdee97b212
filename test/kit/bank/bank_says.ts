import { randomUUID } from 'node:crypto';
import { openInbound } from '../../../service/inbound/inbound.ts';
import type { BankOutcome } from '../../../service/rails/facts.ts';
import type { TestServer } from '../server.ts';

/** The bank's words to the first Tenant, about the order of a record. Records are named by their uuid. */
export function openBankSays({ engine, service, tenant }: TestServer) {
  const inbound = openInbound({ ...service, asks: false });
  const orderOf = async (source: string): Promise<string> => {
    const [order] = await engine.query<{ id: string }>(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      source,
    );
    if (!order) throw new Error(`nothing is ordered for ${source}`);
    return order.id;
  };
  return {
    /** How the order has ended. */
    say: async (source: string, answer: BankOutcome) =>
      inbound.bank(tenant.tenantId, {
        id: randomUUID(),
        orderId: await orderOf(source),
        ...answer,
      }),
    /** Money that names the order. */
    async come(source: string, amount: number) {
      const id = randomUUID();
      const endToEndId = (await orderOf(source)).replaceAll('-', '');
      const of = { to: 'fbo', sender: null, remittance: null } as const;
      return inbound.bank(tenant.tenantId, {
        id,
        money: { amount, endToEndId, paymentId: id, ...of },
      });
    },
  };
}
