import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { noticeEffects } from '../../../flows/notice_effects.ts';
import { openInbound } from '../../../inbound/inbound.ts';
import type { Message, RenderedMessage } from '../../../rails/messages.ts';
import { customerMessageJob } from '../messages/job.ts';
import { withdrawElectronic } from '../paper.ts';
import { noticeEndJob } from './end.ts';
import { giveNotice } from './given.ts';
import type { NoticeTexts } from './port.ts';
import { sendNotice } from './send.ts';
import { noticeSeal } from './table.ts';

/** Notices that the law makes us give a customer (rules/messages#9 to #12). */

const server = await openServer({ manual: true, workers: false, onLog: () => {} });
const { api, engine, service, rails } = server;
const { tenantId } = server.tenant;

const said: string[] = [];
const texts: NoticeTexts = {
  statement_ready: async (_context, _tenantId, { source_id }) => {
    said.push(source_id);
    const content = {
      subject: 'Your statement',
      blocks: [{ kind: 'text', text: `Statement ${said.length}` }] as const,
    };
    return { en: content, es: { ...content, subject: 'Su estado de cuenta' } };
  },
};
const given: string[] = [];
Object.assign(noticeEffects, {
  statement_ready: {
    load: async () => 'its rows',
    given: (work: { now: string }, rows: unknown) => void given.push(`${rows} ${work.now}`),
  },
});
const job = customerMessageJob({
  ...service,
  messages: { send: (...sending) => rails.messages.send(...sending) },
  texts,
  effects: noticeEffects,
});

let ana: Person;
beforeEach(async () => {
  ana = await api.banked('individual');
  said.length = 0;
  given.length = 0;
});

const telling = command('tell', {
  load: async () => null,
  decide: (work) => ({
    value: sendNotice(work, {
      customerId: uuid('customer', ana.customerId),
      kind: 'statement_ready',
      sourceId: randomUUID(),
    }),
  }),
});
async function tell(): Promise<string> {
  const { body } = await service.engine.submit(telling, { tenantId, input: {} });
  return JSON.parse(body);
}
const hand = (ref: string) => service.engine.submit(job, { tenantId, input: { ref } });
async function rowOf(id: string) {
  const [row] = await engine.query<Record<string, string | null>>(
    'select * from notices where tenant_id = $1 and id = $2',
    id,
  );
  return row ?? expect.fail();
}
const opened = (id: string, sealed: string | null | undefined) =>
  service.vault.open(tenantId, noticeSeal(id), sealed ?? '');
const bounce = (messageId: string) =>
  openInbound({ ...service, asks: false }).messages(tenantId, {
    id: randomUUID(),
    messageId,
    outcome: 'bounced',
  });

test('a notice is kept as it was sent, sealed, with its address, and its clock begins then', async () => {
  const id = await tell();
  expect(await rowOf(id)).toMatchObject({ status: 'waiting', sent_at: null });
  const send = vi.spyOn(rails.messages, 'send');
  await hand(id);
  const [message] = send.mock.calls[0] as [Message];
  send.mockRestore();
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 'sent', sent_at: expect.any(String) });
  expect(opened(id, row.rendered_sealed)).toEqual(message.rendered);
  expect(opened(id, row.address_sealed)).toBe('email' in message.to ? message.to.email : '');
  expect(JSON.stringify(row)).not.toContain('Statement');
  const { said } = await api.get(`/portal/api/notices/${publicId('notice', id)}`);
  expect(said).toMatchObject({ to: 'someone@example.com', subject: message.rendered.subject });
  expect(given).toEqual([`its rows ${row.sent_at}`]);
});

test('what is sent again after a failure is what was kept first, and its clock begins at the sending', async () => {
  const id = await tell();
  const send = vi.spyOn(rails.messages, 'send').mockRejectedValueOnce(new Error('away'));
  await expect(hand(id)).rejects.toThrow('away');
  expect(given).toEqual([]);
  await hand(id);
  const [first, second] = send.mock.calls.map(([{ rendered }]) => rendered);
  send.mockRestore();
  expect(said).toHaveLength(2);
  expect(second).toEqual(first);
  expect((opened(id, (await rowOf(id)).rendered_sealed) as RenderedMessage).text).toContain(
    'Statement 1',
  );
  expect(given).toHaveLength(1);
});

test('a bounce makes a task of a person, by whose giving the clock begins anew', async () => {
  const id = await tell();
  await hand(id);
  expect(await bounce(id)).toBe('taken');
  expect(await bounce(id)).toBe('known');
  expect(await rowOf(id)).toMatchObject({ status: 'task', task_reason: 'bounced' });
  const input = { id, finding: 'by post' };
  await service.engine.submit(giveNotice(noticeEffects), { tenantId, input });
  expect(await rowOf(id)).toMatchObject({ status: 'done', done_note: 'by post' });
  expect(given).toHaveLength(2);
});

test('a customer who withdrew the consent to electronic records is sent none: it is a task, with its words', async () => {
  const input = { id: uuid('customer', ana.customerId) };
  await service.engine.submit(withdrawElectronic, { tenantId, input });
  rails.messages.send = vi.fn(rails.messages.send);
  const id = await tell();
  await hand(id);
  const { rendered_sealed, ...row } = await rowOf(id);
  expect(row).toMatchObject({ status: 'task', task_reason: 'paper', sent_at: null });
  expect(opened(id, rendered_sealed)).toMatchObject({ subject: expect.any(String) });
  expect(rails.messages.send).not.toHaveBeenCalled();
  expect(given).toHaveLength(0);
});

test('two years later its words are kept no longer, unless the account is held for a court', async () => {
  const id = await tell();
  await hand(id);
  const due = async () => {
    const [row] = await engine.query<{ due_at: string }>(
      `select due_at from jobs where tenant_id = $1 and name = 'notice_end' and ref = $2`,
      id,
    );
    return row?.due_at;
  };
  const { kept_until, created_at } = await rowOf(id);
  expect(await due()).toBe(kept_until);
  const years = (Date.parse(kept_until ?? '') - Date.parse(created_at ?? '')) / 86_400_000 / 365;
  expect(years).toBeGreaterThanOrEqual(2);
  const end = () => service.engine.submit(noticeEndJob, { tenantId, input: { ref: id } });
  const hold = (is: boolean) =>
    service.pool.query('update accounts set legal_hold = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      uuid('account', ana.accountId),
      is,
    ]);
  await hold(true);
  await end();
  expect((await rowOf(id)).rendered_sealed).not.toBeNull();
  await hold(false);
  await end();
  const { rendered_sealed, address_sealed, sent_at } = await rowOf(id);
  expect([rendered_sealed, address_sealed, sent_at !== null]).toEqual([null, null, true]);
  expect(await due()).toBeUndefined();
});
