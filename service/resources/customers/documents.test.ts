import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, uuid } from '../../../test/harness/people.ts';
import { command } from '../../core/command.ts';
import { acceptWaiting, publishDocument } from './documents.ts';
import { documents } from './documents_table.ts';
import { listDocuments } from './read.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.test.stop());

/** What the terms_acceptance flow does, without its session. */
const acceptTerms = command('accept_terms', {
  load: (read, { id }: { id: string }) => read.set(documents, 'customer_id', id),
  decide: (work, rows) => {
    acceptWaiting(work, rows);
    return { value: null };
  },
});

test('a published version waits, supersedes one that waited, and once accepted the one in force', async () => {
  const { customerId } = await house.approved('individual');
  const terms = async () => {
    const { data } = await listDocuments(house.context(), { id: customerId });
    return data
      .filter((row) => row.document_type === 'privacy_notice')
      .map(({ version, status, channel }) => `${version} ${status} ${channel}`);
  };
  const { data } = await listDocuments(house.context(), { id: customerId });
  const accepted = data.find((row) => row.document_type === 'privacy_notice');
  const id = uuid('document_acceptance', accepted?.id ?? '');
  const second = await house.run(publishDocument, { id });
  expect(second).toMatchObject({ version: '2026-02', status: 'pending_acceptance', channel: null });
  await house.run(publishDocument, { id });
  expect(await terms()).toEqual([
    '2026-03 pending_acceptance null',
    '2026-02 superseded null',
    '2026-01 accepted onboarding',
  ]);
  const waiting = uuid('document_acceptance', second.id);
  expect(await house.refusal(publishDocument, { id: waiting })).toMatchObject({
    code: 'invalid_state',
  });
  await house.run(acceptTerms, { id: uuid('customer', customerId) });
  expect(await terms()).toEqual([
    '2026-03 accepted terms_acceptance',
    '2026-02 superseded null',
    '2026-01 superseded onboarding',
  ]);
});
