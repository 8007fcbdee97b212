import type { Player } from './alone_wire.ts';

/** So many people whom a stream finds ready, payers and merchants by turns. */
export const openedPeople = 6;

async function simulated({ teller }: Player, event: string, object_id: string): Promise<void> {
  await teller.ask('POST', `/v1/sandbox/simulate/${event}`, { object_id });
}

/** Approved people with banks and money. */
export async function openStream(player: Player): Promise<void> {
  const { teller } = player;
  for (let index = 0; index < openedPeople; index += 1) {
    const type = index % 2 === 0 ? 'individual' : 'business';
    const { body: customer } = await teller.ask(
      'POST',
      '/v1/customers',
      {
        type,
        external_ref: `opened-${index}`,
        email: `opened-${index}@example.com`,
        mobile_number: `+1212555${String(1_000 + index)}`,
      },
      `opened-${index}`,
    );
    await simulated(player, 'customer.pending', customer.id);
    const { body: owners } = await teller.ask('GET', `/v1/customers/${customer.id}/owners`);
    for (const { id } of owners.data ?? []) await simulated(player, 'owner.approved', id);
    await simulated(player, 'customer.approved', customer.id);
    await teller.ask('GET', `/v1/customers/${customer.id}`);
    const { body: link } = await teller.ask(
      'POST',
      `/v1/customers/${customer.id}/linked-accounts`,
      { public_token: 'public-sandbox-standard' },
      `link-${index}`,
    );
    await simulated(player, 'linked_account.verified', link.id);
    const { body: load } = await teller.ask(
      'POST',
      '/v1/loads',
      { customer_id: customer.id, amount: 3_000_00 },
      `load-${index}`,
    );
    await simulated(player, 'session.completed', load.id);
    await simulated(player, 'load.settled', load.id);
  }
}
