import { journey } from './journey.ts';
import { listAll } from './page.ts';
import { person } from './run.ts';

const holdHours = 72;

journey({
  name: 'dead-account',
  title: 'A withdrawal to a dead account',
  lead: 'Ana takes money out, but her bank has closed the account (AC04): the money comes back, and reaches her new bank once its hold is over.',
  people: { ana: person('Ana Reyes', 120_00) },

  async steps(run, { ana }) {
    const { story, api } = run;
    const posting = async (withdrawal: { id: string }) => {
      const all = await listAll(api, `/v1/accounts/${ana.accountId}/transactions`);
      const found = all.find(({ source_id }) => source_id === withdrawal.id);
      return [found?.direction, found?.net_amount, found?.status];
    };

    story.step('Ana asks for $80.00');
    const lost = await api.withdraw(ana, 80_00);
    await run.is(lost, 'requires_confirmation');
    story.say('The amount is held at once, before she has confirmed.');
    await run.has(ana, { available: 40_00, pending_outgoing: 80_00 });
    story.fact('no Transaction shows it yet', await posting(lost), [
      undefined,
      undefined,
      undefined,
    ]);

    story.step('She confirms with her PIN, and the bank is instructed to pay');
    await api.confirmed(lost);
    await run.is(lost, 'processing');
    story.fact('her Transactions show it: pending', await posting(lost), [
      'debit',
      80_00,
      'pending',
    ]);
    await run.has(ana, { available: 40_00, pending_outgoing: 80_00 });

    story.step('The bank answers AC04: that account is closed');
    await api.simulate('withdrawal.failed', lost.id, 'account_closed');
    await run.is(lost, 'failed', 'account_closed');
    story.fact('the Transaction is reversed', await posting(lost), ['debit', 80_00, 'reversed']);
    await run.has(ana, { available: 120_00 });

    story.step('She links another bank');
    const links = `/v1/customers/${ana.customerId}/linked-accounts`;
    const removed = await api.remove(`${links}/${ana.linkedAccountId}`);
    story.fact('the old link is removed', removed.status, 'removed');
    const linkedId = await api.link(ana, 'savings');
    const [{ id, status, withdrawal_hold_until }] = (await api.get(links)).data;
    story.fact('the new one is verified', [id, status], [linkedId, 'verified']);
    await run.refused(
      `a new bank has to wait for ${holdHours} hours`,
      api.withdraw(ana, 80_00),
      'withdrawal_hold',
      { withdrawal_hold_until },
    );

    story.step(`${holdHours} hours later`);
    await run.until(withdrawal_hold_until);
    const [released] = (await api.get(links)).data;
    story.fact('the hold is over', released.withdrawal_hold_until, null);
    const paid = await run.withdrawn(ana, 80_00);
    story.fact('this Transaction is posted', await posting(paid), ['debit', 80_00, 'posted']);
    await run.has(ana, { available: 40_00 });
  },
});
