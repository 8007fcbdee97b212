import { link, person } from './cast.ts';
import { tale } from './journey.ts';

const holdHours = 72;

/** The bank rejects a withdrawal: what was held comes back, and a new bank has to wait. */
export const deadAccount = tale({
  name: 'dead-account',
  title: 'A withdrawal to a dead account',
  lead: 'Ana takes money out, but her bank has closed the account (AC04): the money comes back, and reaches her new bank once its hold is over.',
  cast: { ana: person('Ana Reyes', 120_00) },

  async play(stage, { ana }) {
    const { story, wire, call } = stage;
    const posting = async (withdrawal: { id: string }) => {
      const { data } = await wire.get(`/v1/accounts/${ana.accountId}/transactions`);
      const found = data.find(
        ({ source_id }: { source_id: string }) => source_id === withdrawal.id,
      );
      return [found?.direction, found?.net_amount, found?.status];
    };

    story.step('Ana asks for $80.00');
    const lost = await wire.withdraw(ana, 80_00);
    await stage.is(lost, 'requires_confirmation');
    story.say('The amount is held at once, before she has confirmed.');
    await stage.has(ana, { available: 40_00, pending_outgoing: 80_00 });
    story.fact('no Transaction shows it yet', await posting(lost), [
      undefined,
      undefined,
      undefined,
    ]);

    story.step('She confirms with her PIN, and the bank is told to pay');
    await wire.confirm(lost);
    await stage.is(lost, 'processing');
    story.fact('her Transactions show it: pending', await posting(lost), [
      'debit',
      80_00,
      'pending',
    ]);
    await stage.has(ana, { available: 40_00, pending_outgoing: 80_00 });

    story.step('The bank answers AC04: that account is closed');
    await wire.simulate('withdrawal.failed', lost.id, 'account_closed');
    await stage.is(lost, 'failed', 'account_closed');
    story.fact('the Transaction is reversed', await posting(lost), ['debit', 80_00, 'reversed']);
    await stage.has(ana, { available: 120_00 });

    story.step('She links another bank');
    const links = `/v1/customers/${ana.customerId}/linked-accounts`;
    const removed = await call('DELETE', `${links}/${ana.linkedAccountId}`);
    story.fact('the old link is removed', removed.body.status, 'removed');
    const linkedId = await link(wire, ana.customerId, 'savings');
    const [{ id, status, withdrawal_hold_until }] = (await wire.get(links)).data;
    story.fact('the new one is verified', [id, status], [linkedId, 'verified']);
    stage.refused(
      `a new bank has to wait for ${holdHours} hours`,
      await wire.withdraw(ana, 80_00),
      'withdrawal_hold',
      { withdrawal_hold_until },
    );

    story.step(`${holdHours} hours later`);
    await wire.post('/portal/api/clock/advance', { to: withdrawal_hold_until });
    const [released] = (await wire.get(links)).data;
    story.fact('the hold is over', released.withdrawal_hold_until, null);
    const paid = await wire.withdraw(ana, 80_00);
    await wire.confirm(paid);
    await wire.simulate('withdrawal.settled', paid.id);
    await stage.is(paid, 'settled');
    story.fact('this Transaction is posted', await posting(paid), ['debit', 80_00, 'posted']);
    await stage.has(ana, { available: 40_00 });
  },
});
